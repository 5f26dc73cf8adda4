// swift-tools-version: 6.2
import PackageDescription

// Programs that import SwiftyJSON or SGYSwiftJSON and never name JSONSift. Only this file declares where the modules come
// from.
let package = Package(
  name: "DropIn",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(name: "SwiftyJSON4", description: "Builds against this package with its trait of the same name.")
  ],
  dependencies: [
    // The explicit name is needed: the default identity is the folder, and a clone may have any folder name.
    .package(
      name: "JSONSift", path: "../..",
      traits: [.trait(name: "SwiftyJSON4", condition: .when(traits: ["SwiftyJSON4"]))])
  ],
  targets: [
    .executableTarget(name: "dropin", dependencies: [.product(name: "SwiftyJSON", package: "JSONSift")]),
    // A `nil` literal beside a JSON: its meaning depends on the trait.
    .executableTarget(name: "literal", dependencies: [.product(name: "SwiftyJSON", package: "JSONSift")]),
    // Modules of a program whose declarations have the same names as those of JSONSift, and programs that use them together
    // with the drop-in modules. namewriter generates their sources: Scripts/check-dropin --write.
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
