import JSONSift
import TestSupport
import Testing

/// The examples of RFC 6901.
@Suite struct JSONPointerConformanceTests {
  @Test func `all 12 pointers of section 5 and all 12 fragments of section 6 find their values`() throws {
    let examples = try JSON(parsing: try PackageFiles.bytes(of: "Fixtures/rfc/rfc6901-examples.json"))
    let document = examples["doc"]
    #expect(examples["tests"].count == 12 && examples["fragment"].count == 12)
    for (_, test) in examples["tests"] {
      let text = try #require(test[0].string)
      let pointer = try JSONPointer(text)
      let value = document[pointer: pointer]
      #expect(value.error == nil && difference(between: value, and: test[1]) == nil, "\(text)")
      #expect(pointer.description == text)
    }
    for (_, test) in examples["fragment"] {
      let fragment = try #require(test[0].string)
      let pointer = try JSONPointer(fragment: fragment)
      #expect(pointer.description == test[1].string && pointer.fragment == fragment, "\(fragment)")
      #expect(document[pointer: pointer].error == nil)
    }
  }
}

/// The strings of JSON Schema's formats `json-pointer` and `relative-json-pointer`.
@Suite(.enabled(if: ThirdPartyData.has("json-schema-pointer"), "\(ThirdPartyData.absence)"))
struct JSONPointerFormatTests {
  private static func json(_ name: String) throws -> JSON {
    let file = try #require(try ThirdPartyData.files(in: "json-schema-pointer").first { $0.name == name })
    return try JSON(parsing: try file.bytes())
  }

  /// Returns the strings of a file that are wrongly accepted or rejected, and the number of strings. Values that are not
  /// strings are valid in every format and are skipped.
  private static func disagreements(
    _ name: String, _ accepts: (String) -> Bool
  ) throws -> (strings: Int, all: Int, failures: [String]) {
    var strings = 0
    var all = 0
    var failures: [String] = []
    for (_, group) in try json(name) {
      for (_, test) in group["tests"] {
        all += 1
        guard let text = test["data"].string else {
          if test["valid"].bool != true { failures.append(test["description"].stringValue) }
          continue
        }
        strings += 1
        if accepts(text) != test["valid"].bool { failures.append(test["description"].stringValue) }
      }
    }
    return (strings, all, failures)
  }

  @Test func `each string of json-pointer is accepted or rejected as required`() throws {
    let (strings, all, failures) = try Self.disagreements("json-pointer.json") { (try? JSONPointer($0)) != nil }
    #expect(strings == 34 && all == 40)
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test func `each string of relative-json-pointer is accepted or rejected as required`() throws {
    let (strings, all, failures) = try Self.disagreements("relative-json-pointer.json") {
      (try? JSONPointer.Relative($0)) != nil
    }
    #expect(strings == 19 && all == 25)
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test func `no relative pointer is a valid pointer`() throws {
    for (_, group) in try Self.json("relative-json-pointer.json") {
      for (_, test) in group["tests"] where test["valid"].bool == true {
        guard let text = test["data"].string else { continue }
        #expect((try? JSONPointer(text)) == nil, "\(text)")
      }
    }
  }
}
