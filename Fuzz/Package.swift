// swift-tools-version: 6.2
import PackageDescription

// Coverage-guided fuzzing. A separate package, so that users of JSONSift do not build it. `Fuzz/run` builds and runs it.
//
// Each target is a program. SwiftPM names the entry point of a program after its module, `FuzzProof_main`, and links it as
// `main`; the sources define it, since libFuzzer's own `main` cannot have that name. The compiler treats a single-file
// program as a script, unless `-parse-as-library` is set.
let library: [SwiftSetting] = [.unsafeFlags(["-parse-as-library"])]

let package = Package(
  name: "JSONSiftFuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "JSONSift", path: "..")],
  targets: [
    // Declares the functions of libFuzzer, which the sanitizer links, and the function that it calls.
    .target(name: "CFuzzer"),
    .target(name: "Fuzzing", dependencies: ["CFuzzer", .product(name: "JSONSift", package: "JSONSift")]),
    .executableTarget(name: "FuzzProof", dependencies: ["Fuzzing"], swiftSettings: library),
    .executableTarget(name: "FuzzPath", dependencies: ["Fuzzing"], swiftSettings: library),
  ]
)
