import TestSupport
import Testing

@testable import JSONSift

/// Random queries on random documents, compared with ``ReferenceEvaluator``, in memory and over a stream.
@Suite struct ReferenceTests {
  static let rounds = isDebug ? 300 : 4_000

  private struct Found: Equatable, CustomStringConvertible {
    let location: [UInt8]
    let range: Range<Int>
    let bytes: [UInt8]

    init(_ location: String, _ range: Range<Int>?, _ bytes: some Sequence<UInt8>) {
      self.location = Array(location.utf8)
      self.range = range ?? -1 ..< -1
      self.bytes = Array(bytes)
    }

    var description: String { String(decoding: location, as: UTF8.self) + " \(range)" }
  }

  private struct Case {
    let path: JSONPath
    let text: String
    let document: String
    let bytes: [UInt8]
    let expected: [Found]
    let refersToRoot: Bool
  }

  private static func randomCase(_ random: inout SeededGenerator) throws -> Case {
    let document = random.document()
    let (text, query) = random.query()
    let bytes = Array(document.utf8)
    let nodes = ReferenceEvaluator(root: ReferenceParser.tree(of: bytes)).nodes(of: query)
    let path: JSONPath
    do { path = try JSONPath(text) } catch {
      Issue.record("\(text) is refused: \(error)")
      throw error
    }
    return Case(
      path: path, text: text, document: document, bytes: bytes,
      expected: nodes.map { Found($0.location, $0.value.range, bytes[$0.value.range]) },
      refersToRoot: query.refersToRoot)
  }

  private static func streamed(_ test: Case, _ size: Int, _ framing: JSONFraming = .document) throws -> [Found] {
    var matches = try JSONMatches(of: test.path, in: .chunks(chunks(of: test.bytes, size: size)), framing: framing)
    var found: [Found] = []
    while let match = try matches.next() {
      // The location and range of the match, and the text of its value.
      found.append(Found(match.location.description, match.byteRange, match.value.rawBytes))
      if match.value.byteRange != match.byteRange { found.append(Found("value elsewhere", match.value.byteRange, [])) }
    }
    return found
  }

  @Test func `every query selects what the RFC defines, in memory, in a stream under any chunking and in records`()
    throws
  {
    var random = SeededGenerator.announced()
    var matched = 0
    var rejected = 0
    for _ in 0..<Self.rounds {
      let test = try Self.randomCase(&random)
      if !test.expected.isEmpty { matched += 1 }
      let json = try JSON(parsing: test.bytes)
      let inMemory = try json.matches(of: test.path)
        .map { Found($0.location.description, $0.value.byteRange, $0.value.rawBytes) }
      func check(_ found: [Found], _ how: String) -> Bool {
        if found == test.expected { return true }
        Issue.record(
          """
          \(test.text) \(how) of
          \(test.document)
          selects \(found)
          not     \(test.expected)
          """)
        return false
      }
      guard check(inMemory, "in memory") else { return }
      let values = try json.query(test.path)
      guard values.map(\.byteRange) == test.expected.map(\.range) else {
        Issue.record("\(test.text) without places of \(test.document) selects \(values.map(\.byteRange))")
        return
      }
      guard check(try Self.streamed(test, 7, .values), "in a record") else { return }
      if test.refersToRoot {
        rejected += 1
        let error = jsonError { _ = try Self.streamed(test, 7) }
        guard error?.code == .invalidPath, test.path.streaming.form == .rejected else {
          Issue.record("\(test.text) has a root in a filter and is streamed")
          return
        }
        continue
      }
      guard test.path.streaming.form != .rejected else {
        Issue.record("\(test.text) says that it is not streamed")
        return
      }
      for size in [1, 7, 65_536, max(test.bytes.count, 1)] {
        guard check(try Self.streamed(test, size), "in chunks of \(size)") else { return }
      }
    }
    // The test is meaningful only if matches are found.
    #expect(matched > Self.rounds / 10 && rejected > Self.rounds / 100 && rejected < Self.rounds / 4)
    print("\(matched) of \(Self.rounds) queries select something, \(rejected) are not streamed")
  }

  @Test func `several random paths in one pass select what each selects alone`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<Self.rounds / 10 {
      let first = try Self.randomCase(&random)
      var paths = [first.path]
      while paths.count < 6 {
        let path = try Self.randomCase(&random).path
        if path.streaming.form != .rejected { paths.append(path) }
      }
      if first.refersToRoot { paths.removeFirst() }
      let size = random.pick([1, 7, max(first.bytes.count, 1)])
      let chunks = chunks(of: first.bytes, size: size)
      var together: [[Found]] = paths.map { _ in [] }
      var all = try JSONMatches(of: paths.map { ($0.description, $0) }, in: .chunks(chunks))
      while let match = try all.next() {
        together[match.pathIndex].append(Found(match.location.description, match.byteRange, match.value.rawBytes))
      }
      let summaries = all.summaries
      for (index, path) in paths.enumerated() {
        var matches = try JSONMatches(of: path, in: .chunks(chunks))
        let alone: [Found] = try drain {
          try matches.next().map { Found($0.location.description, $0.byteRange, $0.value.rawBytes) }
        }
        guard together[index] == alone, summaries[index].count == alone.count,
          summaries[index].outcome == matches.summaries[0].outcome
        else {
          Issue.record(
            "\(path) of \(paths) in chunks of \(size) of \(first.document) selects \(together[index]), alone \(alone)")
          return
        }
      }
    }
  }

  @Test func `a stream of documents of several windows gives the same matches as in memory`() throws {
    var random = SeededGenerator.announced()
    var limits = JSONLimits()
    // A few queries exceed the work limit; they are not the subject of this test.
    limits.querySteps = 300_000
    var found = 0
    for _ in 0..<max(Self.rounds / 1_000, 1) {
      var writer = RandomDocument(random: random)
      var parts: [String] = []
      var length = 0
      while length < 150_000 {
        parts.append(writer.document())
        length += parts[parts.count - 1].utf8.count
      }
      let isObject = writer.random.below(2) == 0
      let members = parts.enumerated().map { isObject ? "\"\($0.offset % 900)\":" + $0.element : $0.element }
      let bytes = Array(((isObject ? "{" : "[") + members.joined(separator: ",") + (isObject ? "}" : "]")).utf8)
      random = writer.random
      let json = try JSON(parsing: bytes)
      var paths: [JSONPath] = ["$..a", "$[*]", "$[*][-1]", "$..[?@.a]"]
      while paths.count < (isDebug ? 9 : 16) {
        var maker = RandomQuery(random: random)
        var query = maker.query()
        if !query.refersToRoot {
          query.segments.insert(
            ReferenceSegment(isDescendant: maker.random.below(4) == 0, selectors: [.wildcard]), at: 0)
          var spelling = QuerySpelling(random: maker.random)
          paths.append(try JSONPath(spelling.text(query)))
          maker.random = spelling.random
        }
        random = maker.random
      }
      for path in paths {
        guard let expected = try? json.matches(of: path, limits: limits) else { continue }
        for size in [65_536, 5_000 + random.below(60_000)] + (isDebug ? [] : [bytes.count]) {
          var matches = try JSONMatches(
            of: path, in: .chunks(chunks(of: bytes, size: size)), options: JSONOptions(limits: limits))
          var count = 0
          while let match = try matches.next() {
            guard count < expected.count, match.byteRange == expected[count].value.byteRange,
              match.location == expected[count].location, match.value.rawBytes.elementsEqual(bytes[match.byteRange])
            else {
              Issue.record("\(path) in chunks of \(size): match \(count) is \(match.location) at \(match.byteRange)")
              return
            }
            count += 1
          }
          guard count == expected.count else {
            Issue.record("\(path) in chunks of \(size): \(count) matches, not \(expected.count)")
            return
          }
          found += count
        }
      }
    }
    #expect(found > 1_000)
  }
}
