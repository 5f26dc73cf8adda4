// swift-tools-version: 6.2
import PackageDescription

/// CI sets JSONSIFT_STRICT, so that a warning stops the build there and not in the packages that depend on us.
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
        "JSONSift", .target(name: "JSONSiftCompression", condition: .when(traits: ["Compression"])),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    // Tests of every room read fixtures and cut inputs in the same ways.
    .target(name: "TestSupport", dependencies: ["JSONSift"], path: "Tests/TestSupport", swiftSettings: settings),
    .testTarget(
      name: "JSONSiftTests", dependencies: ["JSONSift", "CJSONScan", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "ConformanceTests", dependencies: ["JSONSift", "TestSupport"], swiftSettings: settings),
    // What Foundation's coders do is what ours must do.
    .testTarget(name: "CodingTests", dependencies: ["JSONSift", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "SwiftyJSONTests", dependencies: ["SwiftyJSON", "JSONSift", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "CompressionTests",
      dependencies: [
        "JSONSift", "JSONSiftCompression", "TestSupport",
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
        "JSONSift", "SwiftyJSON", "SGYSwiftJSON", "JSONSiftCompression",
        .target(name: "CZlib", condition: .when(traits: ["Compression"])),
        .target(name: "CZstd", condition: .when(traits: ["Compression"])),
      ],
      path: "Fuzz/Sources/FuzzTargets", swiftSettings: settings),
    .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: settings),
    // A program that tests kill, and that goes on where it was.
    .executableTarget(
      name: "ResumableCount", dependencies: ["JSONSift"], path: "Tests/ResumableCount", swiftSettings: settings),
    // Runs the library in simulated worlds with faults; Scripts/simulate starts it.
    .executableTarget(
      name: "FaultSimulator", dependencies: ["TestSupport"], path: "Tests/FaultSimulator", swiftSettings: settings),
    .testTarget(name: "CLITests", dependencies: ["jsift", "ResumableCount", "TestSupport"], swiftSettings: settings),
    // Writes the code blocks of README, Documentation, the DocC catalogue and doc comments as sources of ExampleTests.
    .executableTarget(name: "ExampleWriter", path: "Tests/ExampleWriter", swiftSettings: settings),
    .plugin(name: "ExampleSources", capability: .buildTool(), dependencies: ["ExampleWriter"]),
    .testTarget(
      name: "ExampleTests",
      dependencies: ["JSONSift", "SwiftyJSON", "SGYSwiftJSON", "JSONSiftCompression", "jsift"],
      exclude: ["DocCommentSetups.txt"], swiftSettings: settings, plugins: ["ExampleSources"]),
  ]
)

/// JSONSIFT_TESTS="NAME NAME" keeps these test targets only, and the programs only for the test targets that run them. Scripts
/// that run few tests set it, since the others take minutes to compile.
if let names = Context.environment["JSONSIFT_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
  if !names.contains("FuzzTests") { package.targets.removeAll { $0.name == "FuzzTargets" } }
  if !names.contains("CLITests"), !names.contains("ExampleTests") {
    package.targets.removeAll { $0.type == .executable }
    package.products.removeAll { $0.name == "jsift" }
  }
  // To optimize the tests takes twice as long as to optimize what they test.
  for target in package.targets where target.type == .test || target.name == "TestSupport" {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
  }
}

/// JSONSIFT_TEST_FILES="TARGET/FILE TARGET/FILE" compiles these files only, of each test target that it names.
if let files = Context.environment["JSONSIFT_TEST_FILES"]?.split(separator: " ") {
  for target in package.targets where target.type == .test {
    let own = files.filter { $0.hasPrefix(target.name + "/") }.map { String($0.dropFirst(target.name.count + 1)) }
    if !own.isEmpty { target.sources = own }
  }
}

/// JSONSIFT_FUZZ=1 adds the program of the fuzz targets, which only links with libFuzzer: Scripts/fuzz builds it. The compiler
/// treats a single-file program as a script, unless `-parse-as-library` is set.
if Context.environment["JSONSIFT_FUZZ"] != nil {
  package.targets += [
    // Declares the functions of libFuzzer, which the sanitizer links, and the function that it calls.
    .target(name: "CFuzzer", path: "Fuzz/Sources/CFuzzer"),
    .executableTarget(
      name: "Fuzz", dependencies: ["CFuzzer", "FuzzTargets"], path: "Fuzz/Sources/Fuzz",
      swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]),
  ]
}
