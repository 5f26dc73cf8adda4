// swift-tools-version: 6.2
import PackageDescription

// A program that knows SwiftyJSON and nothing of JSONSift. Only this file says where `import SwiftyJSON` comes from.
let package = Package(
  name: "DropIn",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named: without a name it would be known by its folder, and a clone may call that anything.
    .package(name: "JSONSift", path: "../..")
  ],
  targets: [
    .executableTarget(name: "dropin", dependencies: [.product(name: "SwiftyJSON", package: "JSONSift")])
  ]
)
