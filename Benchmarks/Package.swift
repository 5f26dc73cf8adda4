// swift-tools-version: 6.2
import PackageDescription

// A package of its own: nobody who uses JSONSift builds or fetches any of this.
let package = Package(
  name: "JSONSiftBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named: without a name it would be known by its folder, and a clone may call that anything.
    .package(name: "JSONSift", path: "..")
  ],
  targets: [
    .systemLibrary(
      name: "CYajlSystem", pkgConfig: "yajl", providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]),
    // The baseline: libyajl called from C, with nothing of ours around it.
    .target(name: "CRawYajl", dependencies: ["CYajlSystem"], linkerSettings: [.linkedLibrary("yajl")]),
    .target(name: "CBenchSystem"),
    // What programs share that decode the generated log or print results. It imports nothing.
    .target(name: "BenchRecords"),
    // A walk over every value, of the library's and of Foundation's.
    .target(name: "BenchValues", dependencies: ["BenchRecords", .product(name: "JSONSift", package: "JSONSift")]),
    .target(name: "BenchObjects", dependencies: ["BenchRecords"]),
    .executableTarget(
      name: "jsonsift-bench",
      dependencies: [
        "BenchRecords", "BenchValues", "BenchObjects", "CRawYajl", "CBenchSystem",
        .product(name: "JSONSift", package: "JSONSift"), .product(name: "SwiftyJSON", package: "JSONSift"),
      ]),
    // The same for models, which are Foundation's.
    .executableTarget(
      name: "jsonsift-bench-models",
      dependencies: ["CBenchSystem", .product(name: "SGYSwiftJSON", package: "JSONSift")]),
    // Does one job in a process of its own, so that its peak memory is that job's. It must not link Foundation:
    // that alone takes more memory than the jobs do.
    .executableTarget(
      name: "jsonsift-bench-worker",
      dependencies: [
        "BenchRecords", "CRawYajl", "CBenchSystem", .product(name: "JSONSift", package: "JSONSift"),
      ]),
    // Does one job under a tool that counts instructions; see Scripts/measure.
    .executableTarget(
      name: "jsonsift-bench-counts",
      dependencies: [
        "CBenchSystem", .product(name: "JSONSift", package: "JSONSift"),
        .product(name: "JSONSiftAnalysis", package: "JSONSift"),
      ]),
    // Does one job with one text under such a tool: what does it cost, by what is touched?
    .executableTarget(
      name: "jsonsift-bench-touch", dependencies: [.product(name: "JSONSift", package: "JSONSift")]),
    // Programs of `run compare`; those in C and C++ are in Peers, and `run` compiles them.
    .executableTarget(name: "compare-foundation", dependencies: ["BenchRecords", "BenchObjects", "CBenchSystem"]),
    .executableTarget(
      name: "compare-jsonsift",
      dependencies: [
        "BenchRecords", "BenchValues", "CBenchSystem", .product(name: "JSONSift", package: "JSONSift"),
      ]),
  ]
)
