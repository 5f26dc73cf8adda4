import Foundation
import SwiftyJSON

// namewriter GRAPHS SOURCES: writes the sources of OwnNames, OwnModelNames, names and modelnames below SOURCES, from the
// symbol graphs of JSONSift and SwiftyJSON in the folder GRAPHS.

/// The names that SwiftyJSON documents, which a program therefore cannot declare itself.
let documented: Set = [
  "JSON", "JSONIndex", "JSONKey", "JSONRawIndex", "JSONSubscriptType", "SwiftyJSONError", "jsonKey",
]

/// A property that a module adds to a type or protocol of another module.
struct Member: Hashable {
  let type: String
  let name: String
  let isOfProtocol: Bool
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("namewriter: \(message)\n".utf8))
  exit(1)
}

guard CommandLine.arguments.count == 3 else { fail("usage: namewriter GRAPHS SOURCES") }
let graphs = URL(fileURLWithPath: CommandLine.arguments[1])
let sources = URL(fileURLWithPath: CommandLine.arguments[2])

var names: Set<String> = []
var members: Set<Member> = []
for file in try FileManager.default.contentsOfDirectory(atPath: graphs.path) where file.hasSuffix(".symbols.json") {
  let graph = try JSON(data: Data(contentsOf: graphs.appendingPathComponent(file)))
  // The symbols in a file such as SwiftyJSON@Foundation.symbols.json extend declarations of Foundation.
  let isExtension = file.contains("@") && !file.contains("@JSONSift.")
  for symbol in graph["symbols"].arrayValue {
    let path = symbol["pathComponents"].arrayValue.map { $0.stringValue }
    let kind = symbol["kind"]["identifier"].stringValue
    switch (isExtension, path.count) {
    case (false, 1):
      // SwiftyJSON's own names are documented. An operator has no name that a type could have.
      if file.hasPrefix("JSONSift"), kind != "swift.func.op" { names.insert(path[0]) }
    case (true, 2):
      guard kind == "swift.property" else { fail("\(file): no source can be made for \(path) (\(kind))") }
      let isOfProtocol = symbol["swiftExtension"]["typeKind"].stringValue == "swift.protocol"
      members.insert(Member(type: path[0], name: path[1], isOfProtocol: isOfProtocol))
    case (true, _) where kind != "swift.extension": fail("\(file): no source can be made for \(path) (\(kind))")
    default: break
    }
  }
}
guard names.isSuperset(of: ["JSON", "JSONPath"]), members.contains(where: { $0.name == "jsonValue" }) else {
  fail("\(graphs.path) does not have the symbols of JSONSift and SwiftyJSON")
}

let head = "// Made by Scripts/pages names. Do not edit.\n// swift-format-ignore-file\n\n"

/// A program's own types and members with the same names as declarations of JSONSift.
func library(_ names: [String], _ members: [Member]) -> String {
  var text = head
  if !members.isEmpty { text += "public import Foundation\n\n" }
  for name in names { text += "public struct \(name) {\n  public let own: Int\n  public init() { own = 1 }\n}\n\n" }
  for member in members {
    text += "extension \(member.type) {\n  public var \(member.name): Never? { nil }\n}\n\n"
  }
  return String(text.dropLast())
}

/// A program that uses each of them. It fails to compile if a name is ambiguous or refers to another declaration.
func program(_ imports: [String], _ names: [String], _ members: [Member], _ body: String) -> String {
  var text = head
  for module in ["Foundation"] + imports { text += "import \(module)\n" }
  text += "\n"
  for (index, member) in members.enumerated() {
    let type = member.isOfProtocol ? "some \(member.type)" : member.type
    text += "func member\(index)(_ value: \(type)) -> Never? {\n  let own = value.\(member.name)\n  return own\n}\n"
  }
  text += "\nvar count = 0\n"
  for name in names { text += "do {\n  let own: \(name) = \(name)()\n  count += own.own\n}\n" }
  return text + body
}

func write(_ text: String, _ path: String) throws {
  try Data(text.utf8).write(to: sources.appendingPathComponent(path))
}

let order = members.sorted { ($0.type, $0.name) < ($1.type, $1.name) }
let ours = names.subtracting(documented).sorted()
let theirs = names.intersection(documented).sorted()
let ownMembers = order.filter { !documented.contains($0.name) }
let otherMembers = order.filter { documented.contains($0.name) }
try write(library(ours, ownMembers), "OwnNames/OwnNames.swift")
try write(library(theirs, otherMembers), "OwnModelNames/OwnModelNames.swift")
try write(
  program(
    ["OwnNames", "SwiftyJSON"], ours, ownMembers,
    """

    let json: JSON = ["a": [1, 2]]
    guard json["a"][1].int == 2, json["a"].count == 2, json.rawString(options: []) == #"{"a":[1,2]}"#,
      let key: JSONKey = Optional("a".jsonKey), case .key("a") = key, json["b"].error == SwiftyJSONError.notExist,
      json.type == Type.dictionary, json.startIndex < json.endIndex, JSON.null.null != nil
    else { exit(1) }
    print("names: \\(count) names of JSONSift are the program's own beside SwiftyJSON")

    """),
  "names/main.swift")
try write(
  program(
    ["OwnModelNames", "OwnNames", "SGYSwiftJSON"], ours + theirs, order,
    """

    final class Person: JSONCreatableObject {
      var name: String?
    }
    let person: Person = try SGYJSONDeserializer().deserialize(Data(#"{"name":"Ada"}"#.utf8))
    guard try SGYJSONSerializer().serialize(person) == Data(#"{"name":"Ada"}"#.utf8) else { exit(1) }
    print("modelnames: \\(count) names of JSONSift are the program's own beside SGYSwiftJSON")

    """),
  "modelnames/main.swift")
