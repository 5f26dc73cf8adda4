// swift-tools-version: 6.2
import PackageDescription

// A package of its own: the library knows nothing of NIO or Hummingbird. Hummingbird brings NIO, so one build serves both.
let package = Package(
  name: "ServerRecords",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named: without a name it would be known by its folder, and a clone may call that anything but the name of this one.
    .package(name: "JSONSift", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
  ],
  targets: [
    .executableTarget(
      name: "ServerRecords",
      dependencies: [
        .product(name: "JSONSift", package: "JSONSift"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ])
  ]
)
