// swift-tools-version: 6.2
import PackageDescription

// Models that are difficult for reflection, read and written with every form of metadata that Swift compiles:
// Scripts/check-models.
let package = Package(
  name: "Models",
  platforms: [.macOS(.v15)],
  dependencies: [
    // The explicit name is needed: the default identity is the folder, and a clone may have any folder name.
    .package(name: "JSONSift", path: "../..")
  ],
  targets: [
    // A superclass and structs of another module: with library evolution their layout is known only at run time.
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
