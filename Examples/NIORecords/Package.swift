// swift-tools-version: 6.2
import PackageDescription

// A package of its own: the library knows nothing of NIO.
let package = Package(
  name: "NIORecords",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named: without a name it would be known by its folder, and a clone may call that anything.
    .package(name: "JSONSift", path: "../.."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
  ],
  targets: [
    .executableTarget(
      name: "NIORecords",
      dependencies: [
        .product(name: "JSONSift", package: "JSONSift"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ])
  ]
)
