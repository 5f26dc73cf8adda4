import Foundation
import SwiftyJSON

/// The client: each function reads one aspect of the server's responses and appends lines to a report.
struct Tracker {
  private(set) var report = ""

  mutating func section(_ title: String) { report += "# \(title)\n" }

  mutating func show<Value>(_ label: String, _ value: Value?) {
    report += "\(label): \(value.map { "\($0)" } ?? "nil")\n"
  }

  mutating func repository() throws {
    section("repository")
    let json = try JSON(data: Data(Answers.repository.utf8))
    show("name", json["full_name"].string)
    show("id", json["id"].int)
    show("score", json["score"].double)
    show("score as text", json["score"].stringValue)
    show("private", json["private"].bool)
    show("private as number", json["private"].number?.intValue)
    show("stars", json["stars"].number?.intValue)
    show("stars as bool", json["stars"].bool)
    show("stars as boolValue", json["stars"].boolValue)
    show("login", json["owner", "login"].string)
    let path: [JSONSubscriptType] = ["topics", 1]
    show("path", json[path].string)
    show("topics", json["topics"].arrayObject as? [String])
    show("owner's keys", json["owner"].dictionaryValue.keys.sorted())
    show("owner's site_admin", json["owner"].dictionaryObject?["site_admin"] as? Bool)
    show("types", json["topics"].type == .array && json["owner"].type == .dictionary && json["id"].type == .number)
    let kinds = [json["score"], json["full_name"], json["private"], json["topics"]]
    show("raw values of types", kinds.map { $0.type.rawValue })
    show("null is there", json["description"].exists() && json["description"].null != nil)
    show("null's text", json["description"].stringValue.isEmpty && json["description"].string == nil)
    show("missing is there", json["homepage"].exists())
    show("missing equals null", json["homepage"] == JSON.null)
    show("missing key", json["homepage"].error?.errorCode)
    show("missing key of a missing key", json["homepage"]["host"][1].error?.errorCode)
    show("index past the end", json["topics"][3].error?.errorCode)
    show("index below zero", json["topics", -1].error?.errorCode)
    show("index into a string", json["full_name"][0].error?.errorCode)
    show("key of an array", json["topics"]["first"].error?.errorCode)
    show("count", json.count)
    show("count of a string", json["full_name"].count)
    show("page", json["html_url"].url?.host)
  }

  mutating func issues() throws {
    section("issues")
    let json = try JSON(data: Data(Answers.issues.utf8))
    let byNumber = json.arrayValue.map(Issue.init).sorted { $0.number < $1.number }
    for issue in byNumber { report += issue.line + "\n" }
    show("titles in order", json.arrayValue.map { $0[Field.title] }.sorted().map { $0.stringValue })
    show("indexes", json.map { $0.0 })
    var labels: [String: Int] = [:]
    for (index, issue) in json {
      for (_, label) in issue[Field.labels] { labels[label[Field.name].stringValue, default: 0] += 1 }
      show("reactions of \(index)", issue["reactions"].map { "\($0.0) \($0.1.stringValue)" }.sorted())
    }
    show("bugs", labels["bug"])
    show("largest id", json[2]["id"].uInt64)
    show("largest id as text", json[2]["id"].stringValue)
    show("first id", json[0, "id"].int64)
    show("most effort", json.arrayValue.map { JSON($0["effort"].doubleValue) }.max()?.double)
  }

  mutating func draft() {
    section("draft")
    var json: JSON = ["title": "New", "labels": ["bug", 2], "meta": ["depth": ["level": 1]], "closed": true]
    json["labels"].arrayObject?.append("urgent")
    json["labels"][0].string = "defect"
    json["labels"][9] = "nobody sees this"
    json["meta"]["depth"]["level"].int = 2
    json["meta", "depth", "note"] = "a/b"
    json["meta", "width", "note"] = "there is no width"
    json["assignee"].string = "octavia"
    json["closed"].bool = false
    json["effort"].double = 2.50
    json["page"].url = URL(string: "https://tracker.example/new")
    json["milestone"] = JSON(["due": nil, "open": [1, 2] as [Any]] as [String: Any?])
    json["copy"] = json["nothing to copy"]
    json["chain"]["to"] = 9
    json["gone"] = 1
    json["gone"].int = nil
    json.dictionaryObject?.removeValue(forKey: "title")
    show("compact", json.rawString(options: [.sortedKeys]))
    show("plain slashes", json["meta"].rawString(options: [.sortedKeys, .withoutEscapingSlashes]))
    show("pretty", json["meta"].rawString(options: [.prettyPrinted, .sortedKeys]))
    show("description", json["labels"])
    json.object = ["replaced": 1]
    show("replaced", json.rawString(options: []))
    let doubled: JSON = ["a": 1, "a": 2]
    let literals: [JSON] = ["s", 3, 2.5, true, [], [:], doubled]
    show("literals", literals.map { $0.type.rawValue })
    show("the last of two", doubled["a"].int)
  }

  mutating func settings() throws {
    section("settings")
    let defaults = JSON(parseJSON: Answers.defaults)
    var settings = try defaults.merged(with: JSON(parseJSON: Answers.ownSettings))
    show("merged", settings.rawString(options: [.sortedKeys]))
    show("defaults are as they were", defaults["theme"].string)
    do {
      try settings.merge(with: ["not", "an", "object"])
    } catch let error as SwiftyJSONError {
      show("merge", error == .wrongType)
      show("merge says", error.localizedDescription)
      show("merge's domain", (error as NSError).domain)
      show("merge's code", (error as NSError).code)
    }
    show("settings are as they were", settings["theme", "name"].string)
    var number: JSON = 1
    try number.merge(with: 2)
    show("scalars", number.int)
  }

  mutating func failures() throws {
    section("failures")
    for text in [#"{"a": "#, "[1] 2", "5", ""] {
      do {
        _ = try JSON(data: Data(text.utf8))
        show(text, "no error")
      } catch let error as NSError {
        show("\(text) is refused", "\(error.domain == NSCocoaErrorDomain) \(error.code)")
      }
      show("\(text) as JSON(parseJSON:)", JSON(parseJSON: text).type == .null && JSON(parseJSON: text).error == nil)
    }
    show("a fragment", try JSON(data: Data("5".utf8), options: .fragmentsAllowed).int)
    do {
      _ = try JSON("a scalar").rawData()
    } catch let error as SwiftyJSONError {
      show("rawData of a scalar", error.errorCode)
    }
    let date = JSON(Date(timeIntervalSince1970: 0))
    show("a date", date.type == .unknown && !date.exists() && date.rawString() == nil)
    show("a date's code", date[0].error?.errorCode)
    show("a date as raw value", JSON(rawValue: Date()) == nil && JSON(rawValue: "text")?.string == "text")
  }

  mutating func events() throws {
    section("events")
    var events = try JSONDecoder().decode([Event].self, from: Data(Answers.events.utf8))
    show("kinds", events.map(\.kind))
    show("refs", events[0].payload["refs"].arrayValue.map(\.stringValue))
    show("null", events[1].payload == JSON.null)
    events[0].payload["size"].int = 3
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(events)
    show("encoded", String(data: data, encoding: .utf8))
    show("and back", try JSONDecoder().decode([Event].self, from: data) == events)
    show("read as JSON", try JSON(data: data)[2]["payload"].doubleValue)
  }

  mutating func values() throws {
    section("values")
    show("equal", [JSON(1) == JSON(1.0), JSON(1) == JSON("1"), JSON(1) == JSON(true), JSON([1, 2]) == [1, 2]])
    show("ordered", [JSON(1) < 1.5, JSON("a") < "b", JSON(1) < "2", JSON(true) >= true, JSON([1]) < [2]])
    show("narrowed", JSON(300).int8)
    show("cut off", [JSON(3.9).intValue, JSON(-3.9).intValue])
    show("unsigned", JSON(-1).uInt64)
    show("from text", [JSON("12.7").intValue, JSON("12abc").intValue, JSON("abc").intValue, JSON("1,000").intValue])
    show("large from text", JSON("9223372036854775807").int64Value)
    show("not from text", JSON("12").int)
    show("numberValue", JSON("-0.125").numberValue.doubleValue)
    show("true", [JSON("Yes"), JSON("t"), JSON("1"), JSON(0.5), JSON(-1)].map { $0.boolValue })
    show("false", [JSON("on"), JSON(" true"), JSON(0), JSON([true]), JSON.null].map { $0.boolValue })
    show("number texts", [JSON(100.0), JSON(0.0), JSON(-0.0), JSON(0.1), JSON(-12)].map { $0.stringValue })
    show("texts", [JSON(true), JSON.null, JSON([1]), JSON(["a": 1])].map { $0.stringValue })
    show("raw strings", [JSON("plain"), JSON(5), JSON(true), JSON.null].map { $0.rawString() ?? "nil" })
    let holes = JSON([1, nil, "a \"b\""] as [Any?])
    show("nil is null", holes.rawString([.castNilToNSNull: true]))
    show("deep enough", JSON([[[1]]]).rawString([.castNilToNSNull: true, .maxObjextDepth: 4]))
    show("too deep", JSON([[[1]]]).rawString([.castNilToNSNull: true, .maxObjextDepth: 2]))
    show("data", String(data: try JSON(["k": ["é", "/", 1.0, NSNull()] as [Any]]).rawData(), encoding: .utf8))
    show("wrapped", JSON(["one": JSON(1), "all": [JSON("x")]] as [String: Any])["all"][0].string)
    show("NSNumber", JSON(NSNumber(value: 2)).int)
    show("objects", JSON(["n": 1, "z": NSNull()] as [String: Any])["z"].object is NSNull)
  }
}
