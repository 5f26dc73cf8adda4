// swift-tools-version: 6.1
import PackageDescription

// Micro-benchmarks of single rooms. A package of its own: the benchmark package is large, and no other build fetches it.
let package = Package(
  name: "JSONSiftMicro",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named: without a name it would be known by its folder, and a clone may call that anything.
    .package(name: "JSONSift", path: "../.."),
    // Without its traits: they replace malloc and the runtime's reference counting to count calls.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "Rooms",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"), .product(name: "JSONSift", package: "JSONSift"),
      ],
      path: "Benchmarks/Rooms",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  ]
)
