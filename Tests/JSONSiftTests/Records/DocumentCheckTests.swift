import TestSupport
import Testing

@testable import JSONSift

/// If nothing is requested, a document is validated and not parsed. The errors reported for a bad one equal those reported for
/// a path.
@Suite struct DocumentCheckTests {
  struct Report: Equatable {
    let error: JSONError
    let position: JSONError.Position
    let excerpt: String?
  }

  static func reported(
    _ paths: [(name: String, path: JSONPath)], _ source: JSONSource, _ options: JSONOptions
  ) throws -> Report? {
    var matches = try JSONMatches(of: paths, in: source, options: options)
    do throws(JSONError) {
      while try matches.next() != nil {}
      return nil
    } catch {
      return Report(error: error, position: matches.position(of: error), excerpt: matches.excerpt(of: error)?.text)
    }
  }

  @Test(arguments: [JSONOptions(), JSONOptions(loneSurrogates: .replace)])
  func `damage anywhere in large documents is reported the same`(options: JSONOptions) throws {
    var random = SeededGenerator.announced()
    let absent = [(name: "absent", path: JSONPath("$..absent"))]
    for _ in 0..<(isDebug ? 50 : 4000) {
      let part = "\n" + random.write { $0.document() }
      var text = Array("[\(Array(repeating: part, count: 1 + random.below(40)).joined(separator: ","))]".utf8)
      for _ in 0..<random.below(3) {
        text[random.below(text.count)] = random.pick(TextCheckerTests.bytes)
      }
      let size = random.pick([1, 7, 64, 300, text.count])
      func source() -> JSONSource { TestSupport.source(of: text, inPiecesOf: size) }
      let (checked, parsed) = (try Self.reported([], source(), options), try Self.reported(absent, source(), options))
      guard checked == parsed else {
        Issue.record(
          "reads of \(size): \(checked as Any), not \(parsed as Any): \(String(decoding: text, as: UTF8.self))")
        return
      }
    }
  }
}
