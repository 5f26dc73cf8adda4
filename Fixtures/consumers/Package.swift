// swift-tools-version: 6.2
import PackageDescription

// Programs that depend on JSONSift; Scripts/check consumers builds and runs them in three ways. One package, so that each way
// compiles the library once.
let package = Package(
  name: "Consumers",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(name: "SwiftyJSON4", description: "Builds against this package with its trait of the same name.")
  ],
  dependencies: [
    // The name is given here, because SwiftPM derives it from the folder of the clone otherwise.
    .package(
      name: "JSONSift", path: "../..",
      traits: [.trait(name: "SwiftyJSON4", condition: .when(traits: ["SwiftyJSON4"]))])
  ],
  targets: [
    // Programs for SwiftyJSON and SGYSwiftJSON that do not mention JSONSift. Only this file says where the modules come from.
    .executableTarget(name: "dropin", dependencies: [.product(name: "SwiftyJSON", package: "JSONSift")]),
    // The products above the library.
    .executableTarget(
      name: "analysis",
      dependencies: [
        .product(name: "JSONSift", package: "JSONSift"), .product(name: "JSONSiftAnalysis", package: "JSONSift"),
        .product(name: "JSONSiftArrow", package: "JSONSift"),
      ]),
    // What `nil` beside a JSON is: the trait decides.
    .executableTarget(name: "literal", dependencies: [.product(name: "SwiftyJSON", package: "JSONSift")]),
    // Modules with declarations that have the names of JSONSift, and programs that use them beside the drop-in modules.
    // namewriter writes their sources: Scripts/pages names.
    .target(name: "OwnNames"),
    .target(name: "OwnModelNames"),
    .executableTarget(
      name: "names", dependencies: ["OwnNames", .product(name: "SwiftyJSON", package: "JSONSift")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "modelnames",
      dependencies: ["OwnNames", "OwnModelNames", .product(name: "SGYSwiftJSON", package: "JSONSift")],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    .executableTarget(name: "namewriter", dependencies: [.product(name: "SwiftyJSON", package: "JSONSift")]),
    // Models that are hard to read by reflection. The superclass and structs of Library have a layout that is known only at
    // run time where library evolution is on.
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
