import JSONSift
import TestSupport
import Testing

/// The compliance test suite of RFC 9535.
@Suite(.enabled(if: ThirdPartyData.has("jsonpath-cts"), "\(ThirdPartyData.absence)")) struct JSONPathComplianceTests {
  /// The cases of the suite, all of them.
  private static func cases() throws -> [JSON] {
    let file = try #require(try ThirdPartyData.files(in: "jsonpath-cts").first { $0.name == "cts.json" })
    return try JSON(parsing: file.bytes())["tests"].arrayValue
  }

  @Test func `all 703 cases of the suite have the result that RFC 9535 requires`() throws {
    let cases = try Self.cases()
    #expect(cases.count == 703)
    let failures = cases.compactMap { test in Self.failure(of: test).map { "\(test["name"].stringValue): \($0)" } }
    #expect(failures.isEmpty, "\(failures.count) cases: \(summary(of: failures))")
  }

  @Test func `a path of the suite equals the path parsed from its description`() throws {
    var count = 0
    for test in try Self.cases() where test["invalid_selector"].bool != true {
      let path = try JSONPath(test["selector"].stringValue)
      #expect(try JSONPath(path.description) == path)
      #expect(try JSONPath(path.description).description == path.description)
      count += 1
    }
    #expect(count == 456)
  }

  /// Returns how the result of a case is wrong, or `nil`.
  private static func failure(of test: JSON) -> String? {
    let selector = test["selector"].stringValue
    do throws(JSONError) {
      let matches = try test["document"].matches(of: JSONPath(selector))
      if test["invalid_selector"].bool == true { return "is accepted: \(selector)" }
      let values = try test["document"].query(JSONPath(selector))
      guard values == matches.map(\.value) else { return "values with and without places differ: \(selector)" }
      let accepted = test["results"].array ?? [test["result"]]
      let expectedPaths = test["results_paths"].array ?? [test["result_paths"]]
      let found = matches.map { $0.location.description }
      for (index, result) in accepted.enumerated() where isSame(values, result.arrayValue) {
        guard index < expectedPaths.count, let wanted = expectedPaths[index].array else { return nil }
        if zip(found, wanted).allSatisfy({ TestSupport.isSame($0, $1.string) }), found.count == wanted.count {
          return nil
        }
        return "\(selector) selects at \(found), not at \(wanted.map(\.stringValue))"
      }
      return "\(selector) selects \(found), not \(accepted)"
    } catch {
      if test["invalid_selector"].bool == true, error.code == .invalidPath { return nil }
      return "\(selector) fails: \(error)"
    }
  }

  private static func isSame(_ left: [JSON], _ right: [JSON]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { difference(between: $0, and: $1) == nil }
  }
}
