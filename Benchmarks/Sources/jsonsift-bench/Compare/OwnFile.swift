import Foundation

/// The questions that can be asked of any file.
struct OwnFile {
  private let arguments: CompareArguments
  private let here: Installed
  private let path: String
  private let bytes: Int
  private let isLines: Bool

  init(_ arguments: CompareArguments, _ here: Installed, _ path: String) throws {
    self.arguments = arguments
    self.here = here
    self.path = path
    bytes = (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    isLines = arguments.isLines ?? [".ndjson", ".jsonl", ".log"].contains { path.hasSuffix($0) }
  }

  private var form: String { isLines ? "lines" : "document" }
  private var input: CompareInput { CompareInput(path: path, bytes: bytes) }

  func make() -> [CompareQuestion] {
    [
      question("validate", "Is it JSON, and how many texts are there?", Meter.Answer?.none, validating),
      question("path", "What does \(arguments.path) select?", nil, selecting),
    ]
  }

  /// All must agree with the tool. It goes first.
  private func question(
    _ name: String, _ title: String, _ answer: Meter.Answer?, _ contenders: [Contender?]
  ) -> CompareQuestion {
    CompareQuestion(
      name: name, title: title, inputs: { [input] }, trial: { input }, flawed: Flaws.text, answer: { _ in answer },
      isStream: name == "path", baseline: contenders.compactMap { $0 }.first?.name ?? "",
      contenders: contenders.compactMap { $0 })
  }

  private var framing: [String] { ["--input", isLines ? "ndjson" : "json", "--on-error", "stop"] }

  private var validating: [Contender?] {
    [
      ours("jsift --count", ["$", "--count"]),
      peer("libyajl in C") {
        [here.yajl, isLines ? "lines" : "whole", $0.path]
      },
      here.simdjson.flatMap { program in peer("simdjson DOM") { [program, "texts", $0.path, form] } },
      here.rapidjson.flatMap { program in peer("rapidjson SAX") { [program, "texts", $0.path] } },
      peer("JSONSerialization", remark: "numbers become Double") {
        [here.foundation, "serialization", "texts-\(form)", $0.path]
      },
      jq("jq", ["-n", "reduce inputs as $text (0; . + 1)"]),
      here.python("orjson", "texts").flatMap { words in peer("orjson") { words + [$0.path, form] } },
    ]
  }

  private var selecting: [Contender?] {
    [
      ours("jsift", [arguments.path]),
      jqFilter.flatMap { jq("jq", ["-c", $0]) },
      here.python("ijson", "own:" + arguments.path).flatMap { words in peer("ijson") { words + [$0.path, form] } },
      here.python("orjson", "own:" + arguments.path).flatMap { words in peer("orjson") { words + [$0.path, form] } },
    ]
  }

  /// The path as jq spells it; `nil` if it has more than names, indexes and wildcards.
  private var jqFilter: String? {
    var rest = arguments.path.dropFirst()
    guard arguments.path.first == "$" else { return nil }
    var filter = ""
    while let mark = rest.popFirst() {
      if mark == "." {
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        rest = rest.dropFirst(name.count)
        if name.isEmpty {
          guard rest.popFirst() == "*" else { return nil }
          filter += " | .[]?"
        } else {
          filter += " | select(type == \"object\" and has(\"\(name)\")) | .\(name)"
        }
      } else if mark == "[", let end = rest.firstIndex(of: "]") {
        let inside = rest[..<end]
        rest = rest[rest.index(after: end)...]
        if inside == "*" {
          filter += " | .[]?"
        } else if let index = Int(inside), index >= 0 {
          filter += " | select(type == \"array\" and length > \(index)) | .[\(index)]"
        } else {
          return nil
        }
      } else {
        return nil
      }
    }
    return "." + filter
  }

  private func ours(_ name: String, _ words: [String], remark: String? = nil) -> Contender? {
    Contender(name: name, kind: .ours, remark: remark) { [here.jsift] + words + framing + [$0.path] }
  }

  private func peer(_ name: String, remark: String? = nil, _ words: @escaping (CompareInput) -> [String]) -> Contender?
  {
    Contender(name: name, remark: remark, words: words)
  }

  private func jq(_ name: String, _ words: [String]) -> Contender? {
    here.jq.flatMap { program in
      peer(name, remark: "numbers become Double") { [program] + words + [$0.path] }
    }
  }
}
