// swift-tools-version: 6.2
import PackageDescription

// Programs that know SwiftyJSON or SGYSwiftJSON and nothing of JSONSift. Only this file says where these modules come from.
let package = Package(
  name: "DropIn",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(name: "SwiftyJSON4", description: "Builds against this package with its trait of the same name.")
  ],
  dependencies: [
    // Named: without a name it would be known by its folder, and a clone may call that anything.
    .package(
      name: "JSONSift", path: "../..",
      traits: [.trait(name: "SwiftyJSON4", condition: .when(traits: ["SwiftyJSON4"]))])
  ],
  targets: [
    .executableTarget(name: "dropin", dependencies: [.product(name: "SwiftyJSON", package: "JSONSift")]),
    // What `nil` beside a JSON is: the trait decides.
    .executableTarget(name: "literal", dependencies: [.product(name: "SwiftyJSON", package: "JSONSift")]),
    // Modules of a program that have the names which JSONSift has, and programs that use them beside the drop-in modules.
    // Their sources are made by namewriter: Scripts/check-dropin --write.
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
  ]
)
