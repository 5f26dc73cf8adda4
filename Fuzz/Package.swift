// swift-tools-version: 6.2
import PackageDescription

// Coverage-guided fuzzing, a package of its own: nobody who uses JSONSift builds any of this. `Fuzz/run` builds and runs it.
//
// Each target is a program. SwiftPM names the entry point of a program after its module, `FuzzProof_main`, and links it as
// `main`; the sources define it, since libFuzzer's own `main` cannot be named so.
// A program of one file is a script, unless the compiler is told otherwise.
let library: [SwiftSetting] = [.unsafeFlags(["-parse-as-library"])]

let package = Package(
  name: "JSONSiftFuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "JSONSift", path: "..")],
  targets: [
    // Declares what libFuzzer, which the sanitizer links, calls and is called by.
    .target(name: "CFuzzer"),
    .target(name: "Fuzzing", dependencies: ["CFuzzer", .product(name: "JSONSift", package: "JSONSift")]),
    .executableTarget(name: "FuzzProof", dependencies: ["Fuzzing"], swiftSettings: library),
    .executableTarget(name: "FuzzPath", dependencies: ["Fuzzing"], swiftSettings: library),
  ]
)
