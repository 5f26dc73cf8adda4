// swift-tools-version: 6.2
import PackageDescription

// Models that are hard on reflection, read and written in every way that Swift compiles them: Scripts/check-models.
let package = Package(
  name: "Models",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named: without a name it would be known by its folder, and a clone may call that anything.
    .package(name: "JSONSift", path: "../..")
  ],
  targets: [
    // A superclass and structs of another module: with library evolution their layout is known at run time only.
    .target(name: "Library", dependencies: [.product(name: "SGYSwiftJSON", package: "JSONSift")]),
    .target(
      name: "Bare", dependencies: [.product(name: "SGYSwiftJSON", package: "JSONSift")],
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-reflection-metadata"])]),
    .target(
      name: "Nameless", dependencies: [.product(name: "SGYSwiftJSON", package: "JSONSift")],
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-disable-reflection-names"])]),
    .executableTarget(
      name: "models",
      dependencies: [
        "Library", "Bare", "Nameless", .product(name: "JSONSift", package: "JSONSift"),
        .product(name: "SGYSwiftJSON", package: "JSONSift"),
      ]),
  ]
)
