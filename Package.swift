// swift-tools-version: 6.2
import PackageDescription

/// CI sets JSONSIFT_STRICT, so that a warning stops the build there and not in the packages that depend on us. Nothing else here
/// depends on the environment: scripts that need other targets make a package with these folders and a manifest that continues
/// this one (`derive_package` in Scripts/Support/common.sh).
let strict = Context.environment["JSONSIFT_STRICT"] != nil

/// Swift 6 mode is the default of these tools. `Lifetimes` lets an event pass bytes that cannot outlive the call.
let settings: [SwiftSetting] =
  [.strictMemorySafety(), .enableExperimentalFeature("Lifetimes")] + (strict ? [.treatAllWarnings(as: .error)] : [])

/// On macOS zlib is part of the system, and pkg-config need not know it.
#if os(macOS)
  let zlib: (pkgConfig: String?, providers: [SystemPackageProvider]?) = (nil, nil)
#else
  let zlib: (pkgConfig: String?, providers: [SystemPackageProvider]?) = ("zlib", [.apt(["zlib1g-dev"])])
#endif

let package = Package(
  name: "JSONSift",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "JSONSift", targets: ["JSONSift"]),
    .library(name: "JSONSiftAnalysis", targets: ["JSONSiftAnalysis"]),
    .library(name: "JSONSiftArrow", targets: ["JSONSiftArrow"]),
    .library(name: "SwiftyJSON", targets: ["SwiftyJSON"]),
    .library(name: "JSONSiftCompression", targets: ["JSONSiftCompression"]),
    .library(name: "SGYSwiftJSON", targets: ["SGYSwiftJSON"]),
    .executable(name: "jsift", targets: ["jsift"]),
  ],
  traits: [
    .trait(name: "Compression", description: "Reads gzip and zstd, with the system's zlib and libzstd."),
    .trait(
      name: "SwiftyJSON4", description: "A nil literal beside a JSON is JSON.null, as in SwiftyJSON 4.0 and 4.1."),
    .trait(
      name: "Fuzzing",
      description:
        "Small sizes of reads, windows and batches, so that short texts reach all code. Only for Scripts/fuzz."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.2.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CYajl", pkgConfig: "yajl", providers: [.apt(["libyajl-dev"]), .brew(["yajl"])]),
    .target(name: "CJSONScan"),
    .target(
      name: "JSONSift",
      dependencies: ["CYajl", "CJSONScan", .product(name: "OrderedCollections", package: "swift-collections")],
      swiftSettings: settings),
    // What looks at many records: their shape, the index of a file, searches in a sorted one.
    .target(name: "JSONSiftAnalysis", dependencies: ["JSONSift"], swiftSettings: settings),
    // Typed columns, and streams of Apache Arrow.
    .target(name: "JSONSiftArrow", dependencies: ["JSONSift"], swiftSettings: settings),
    // What both drop-in modules do with Foundation. No product: nobody imports it but they.
    .target(name: "JSONSiftFoundation", dependencies: ["JSONSift"], swiftSettings: settings),
    // SwiftyJSON's documented API. All that needs Foundation, or a name at the top of a module, is here.
    .target(name: "SwiftyJSON", dependencies: ["JSONSift", "JSONSiftFoundation"], swiftSettings: settings),
    // SGYSwiftJSON's documented API: models by protocols and reflection.
    .target(name: "SGYSwiftJSON", dependencies: ["JSONSift", "JSONSiftFoundation"], swiftSettings: settings),
    // gzip and zstd. Empty without the trait, so that a plain build needs libyajl alone.
    .systemLibrary(name: "CZlib", pkgConfig: zlib.pkgConfig, providers: zlib.providers),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .target(
      name: "JSONSiftCompression",
      dependencies: [
        "JSONSift", .target(name: "CZlib", condition: .when(traits: ["Compression"])),
        .target(name: "CZstd", condition: .when(traits: ["Compression"])),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "jsift",
      dependencies: [
        "JSONSift", "JSONSiftAnalysis", "JSONSiftArrow",
        .target(name: "JSONSiftCompression", condition: .when(traits: ["Compression"])),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    // Tests of every room read fixtures and cut inputs in the same ways.
    .target(
      name: "TestSupport", dependencies: ["JSONSift", "JSONSiftAnalysis"], path: "Tests/TestSupport",
      swiftSettings: settings),
    .testTarget(
      name: "JSONSiftTests",
      dependencies: ["JSONSift", "JSONSiftAnalysis", "JSONSiftArrow", "CJSONScan", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AnalysisTests", dependencies: ["JSONSift", "JSONSiftAnalysis", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ArrowTests", dependencies: ["JSONSift", "JSONSiftArrow", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "ConformanceTests", dependencies: ["JSONSift", "TestSupport"], swiftSettings: settings),
    // What Foundation's coders do is what ours must do.
    .testTarget(name: "CodingTests", dependencies: ["JSONSift", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "SwiftyJSONTests", dependencies: ["SwiftyJSON", "JSONSift", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "CompressionTests",
      dependencies: [
        "JSONSift", "JSONSiftAnalysis", "JSONSiftCompression", "jsift", "TestSupport",
        .target(name: "CZlib", condition: .when(traits: ["Compression"])),
        .target(name: "CZstd", condition: .when(traits: ["Compression"])),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SGYSwiftJSONTests", dependencies: ["SGYSwiftJSON", "JSONSift", "TestSupport"], swiftSettings: settings),
    // The fuzz targets, as tests replay them. Fuzz/README.md describes them.
    .target(
      name: "FuzzTargets",
      dependencies: [
        "JSONSift", "JSONSiftAnalysis", "JSONSiftArrow", "SwiftyJSON", "SGYSwiftJSON", "JSONSiftCompression",
        "TestSupport",
        .target(name: "CZlib", condition: .when(traits: ["Compression"])),
        .target(name: "CZstd", condition: .when(traits: ["Compression"])),
      ],
      path: "Fuzz/Sources/FuzzTargets", swiftSettings: settings),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: settings),
    // A program that tests kill, and that goes on where it was.
    .executableTarget(
      name: "ResumableCount", dependencies: ["JSONSift"], path: "Tests/ResumableCount", swiftSettings: settings),
    // Runs the library in simulated worlds with faults; Scripts/check simulate starts it.
    .executableTarget(
      name: "FaultSimulator", dependencies: ["TestSupport"], path: "Tests/FaultSimulator",
      exclude: ["planted-faults.patch"], swiftSettings: settings),
    .testTarget(
      name: "CLITests", dependencies: ["jsift", "JSONSiftAnalysis", "JSONSiftArrow", "ResumableCount", "TestSupport"],
      swiftSettings: settings),
    // Writes the code blocks of README, Documentation, the DocC catalogue and doc comments as sources of ExampleTests.
    .executableTarget(name: "ExampleWriter", path: "Tests/ExampleWriter", swiftSettings: settings),
    .plugin(name: "ExampleSources", capability: .buildTool(), dependencies: ["ExampleWriter"]),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "JSONSift", "JSONSiftAnalysis", "JSONSiftArrow", "SwiftyJSON", "SGYSwiftJSON", "JSONSiftCompression", "jsift",
      ],
      exclude: ["DocCommentSetups.txt"], swiftSettings: settings, plugins: ["ExampleSources"]),
  ]
)
