// swift-tools-version: 6.2
import PackageDescription

/// CI sets JSONSIFT_STRICT, so that a warning stops the build there and not in the packages that depend on us.
let strict = Context.environment["JSONSIFT_STRICT"] != nil

/// Swift 6 mode is the default of these tools. `Lifetimes` lets an event lend bytes that cannot outlive the call.
let settings: [SwiftSetting] =
  [.strictMemorySafety(), .enableExperimentalFeature("Lifetimes")] + (strict ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
  name: "JSONSift",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "JSONSift", targets: ["JSONSift"]),
    .library(name: "SwiftyJSON", targets: ["SwiftyJSON"]),
    .executable(name: "jsift", targets: ["jsift"]),
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
    // SwiftyJSON's documented API. All that needs Foundation, or a name at the top of a module, is here.
    .target(name: "SwiftyJSON", dependencies: ["JSONSift"], swiftSettings: settings),
    .executableTarget(
      name: "jsift",
      dependencies: ["JSONSift", .product(name: "ArgumentParser", package: "swift-argument-parser")],
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
    .testTarget(name: "CLITests", dependencies: ["jsift", "TestSupport"], swiftSettings: settings),
  ]
)
