import CRawYajl
import Foundation

/// Which programs are here.
struct Installed {
  let meter: String
  let jsift: String
  let ours: String
  let yajl: String
  let foundation: String
  let simdjson: String?
  let rapidjson: String?
  let jq: String?
  let taskset: String?
  private let python: String?
  private let script: String
  private let libraries: Set<String>
  /// What they call their versions.
  let versions: [String: String]
  let missing: [String]

  init() throws {
    guard let own = Bundle.main.executablePath else { throw Worker.Failed(description: "cannot tell where I am") }
    let folder = URL(fileURLWithPath: own).deletingLastPathComponent().path
    func program(_ path: String) throws -> String {
      guard FileManager.default.isExecutableFile(atPath: path) else {
        throw Worker.Failed(description: "\(path) is missing; Benchmarks/run builds it")
      }
      return path
    }
    ours = try program(folder + "/compare-jsonsift")
    foundation = try program(folder + "/compare-foundation")
    let compiled = environmentVariable("JSONSIFT_COMPARE_FOLDER") ?? folder
    meter = try program(compiled + "/compare_meter")
    yajl = try program(compiled + "/compare_yajl")
    jsift = try program(environmentVariable("JSONSIFT_BENCH_JSIFT") ?? folder + "/jsift")

    var versions = ["libyajl": Self.yajlVersion]
    var missing: [String] = []
    func peer(_ name: String, _ words: [String]?, _ why: String) -> String? {
      guard let words, let version = Self.firstLine(words) else {
        missing.append("\(name): \(why)")
        return nil
      }
      versions[name] = version
      return words[0]
    }
    simdjson = peer(
      "simdjson", [compiled + "/compare_simdjson", "version"],
      "could not be built; its package is libsimdjson-dev")
    rapidjson = peer(
      "rapidjson", [compiled + "/compare_rapidjson", "version"],
      "could not be built; its package is rapidjson-dev")
    jq = peer("jq", findProgram("jq").map { [$0, "--version"] }, "is not installed")
    taskset = findProgram("taskset")
    let python = environmentVariable("JSONSIFT_COMPARE_PYTHON")
    let script = environmentVariable("JSONSIFT_COMPARE_SCRIPT") ?? ""
    libraries = Set(
      ["ijson", "orjson", "duckdb", "polars"].filter { library in
        peer(
          library, python.map { [$0, script, library, "version", "-"] },
          "could not be fetched from PyPI, or there is no python3") != nil
      })
    self.python = python
    self.script = script
    self.versions = versions
    self.missing = missing
  }

  /// The command that asks a library of Python, if it is here.
  func python(_ library: String, _ job: String) -> [String]? {
    guard let python, libraries.contains(library) else { return nil }
    return [python, script, library, job]
  }

  private static var yajlVersion: String {
    let version = Int(raw_yajl_version())
    return "\(version / 10000).\(version / 100 % 100).\(version % 100)"
  }

  private static func firstLine(_ words: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }
}

func environmentVariable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

/// The path of a program, if it is installed.
func findProgram(_ name: String) -> String? {
  (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}
