import TestSupport
import Testing

@testable import JSONSift

/// Paths and conditions over records, of which only the requested values are parsed.
@Suite struct ProjectedRecordTests {
  static let rounds = isDebug ? 300 : 4_000

  /// The results, and everything reported about them.
  private struct Found: Equatable, CustomStringConvertible {
    var lines: [String] = []
    var summaries: [JSONMatches.Summary] = []
    var checkpoint: JSONCheckpoint?

    var description: String { lines.joined(separator: "\n") + "\n\(summaries) \(String(describing: checkpoint))" }
    var hasMatch: Bool { lines.contains { $0.hasPrefix("match") } }
    var errors: [String] { lines.filter { $0.hasPrefix("error") } }
  }

  private static func options(_ framing: JSONFraming = .lines) -> JSONRecordOptions {
    var options = JSONRecordOptions(framing: framing)
    // The prefilter is tested elsewhere: it changes which bad lines are ruled out.
    options.prefilter = .never
    return options
  }

  /// Reads on after bad records.
  ///
  /// - Parameter whole: Whether the paths are evaluated in the documents of the records.
  private static func find(
    _ paths: [JSONPath], where condition: JSONCondition? = nil, in source: JSONSource, _ options: JSONRecordOptions,
    keeping kept: [JSONPath]? = nil, whole: Bool = false
  ) throws -> Found {
    var matches = try JSONMatches(
      of: paths.map { ($0.description, $0) }, where: condition, in: source, records: options, keepsDocument: false,
      resumingAt: nil, keeping: !whole ? kept : kept == nil ? paths : nil)
    var found = Found()
    while found.lines.count < 100_000 {
      do throws(JSONError) {
        guard let match = try matches.next() else { break }
        var line = "match \(match.pathIndex) line \(matches.recordLine ?? 0) \(match.byteRange) \(match.location)"
        if let kept {
          for path in kept {
            line += " | " + (try match.value.query(path)).map { $0.rawText }.joined(separator: " ")
          }
        } else {
          line += " \(match.value.rawText)"
        }
        found.lines.append(line)
      } catch {
        let bad = matches.badRecord(of: error)
        let position = matches.position(of: error)
        found.lines.append(
          "error \(error.code) at \(error.byteOffset) \(position.line):\(position.column), record \(bad?.line ?? 0) "
            + "\(bad?.byteRange ?? 0..<0) \(bad?.rawBytes.count ?? 0)")
        if error.code.endsInput || !(options.framing == .lines || options.framing == .textSequence) { break }
      }
    }
    found.summaries = matches.summaries
    matches.content.records.borrow { found.checkpoint = $0.reader.checkpoint }
    return found
  }

  private static func source(_ bytes: [UInt8], _ size: Int?) -> JSONSource {
    size.map { JSONSource.chunks(chunks(of: bytes, size: $0)) } ?? .bytes(bytes)
  }

  /// Returns the results of reading in chunks if they differ from those of the whole documents.
  private static func difference(
    _ paths: [JSONPath], where condition: JSONCondition? = nil, _ bytes: [UInt8], _ sizes: [Int?],
    keeping kept: [JSONPath]? = nil, _ framing: JSONFraming = .lines
  ) throws -> (String?, Found) {
    let expected = try find(
      paths, where: condition, in: source(bytes, nil), options(framing), keeping: kept, whole: true)
    for size in sizes {
      let found = try find(paths, where: condition, in: source(bytes, size), options(framing), keeping: kept)
      guard found == expected else {
        let what = condition.map { "\(paths) where \($0)" } ?? "\(paths)"
        return (
          "\(what), kept \(kept ?? []), reads of \(String(describing: size)) of\n"
            + "\(String(decoding: bytes, as: UTF8.self))\nfound \(found)\nnot \(expected)", expected
        )
      }
    }
    return (nil, expected)
  }

  private static func randomLines(_ random: inout SeededGenerator, maxCount: Int = 6) -> String {
    var text = ""
    for _ in 0..<1 + random.below(maxCount) {
      text += random.document().replacing("\n", with: " ")
      text += random.pick(["\n", "\n", "\n", "\r\n", "\n\n", " \n", "\n\t\n"])
    }
    if random.below(3) == 0 { text.removeLast() }
    return random.below(20) == 0 ? "\u{FEFF}" + text : text
  }

  // MARK: Equality with whole documents

  @Test func `random paths and conditions find the same in random records under any read size`() throws {
    var random = SeededGenerator.announced()
    var (matched, projected) = (0, 0)
    for _ in 0..<Self.rounds {
      let text = Self.randomLines(&random)
      let bytes = Array(text.utf8)
      var paths: [JSONPath] = []
      for _ in 0..<(random.below(4) == 0 ? 3 : 1) { paths.append(try JSONPath(random.query().text)) }
      let condition = random.below(3) == 0 ? try random.condition() : Optional.none
      let sizes = [nil, 1 + random.below(300), 1 + random.below(8)] as [Int?]
      let (difference, expected) = try Self.difference(paths, where: condition, bytes, sizes)
      if let difference {
        Issue.record(Comment(rawValue: difference))
        return
      }
      if expected.hasMatch { matched += 1 }
      if RecordProjection.of(try paths.map { try $0.checked() }, where: condition, JSONOptions()) != nil {
        projected += 1
      }
      if random.below(4) == 0 {
        let kept = try [JSONPath(random.query().text), JSONPath(random.query().text)]
        let (difference, _) = try Self.difference([JSONPath("$")], where: condition, bytes, sizes, keeping: kept)
        if let difference {
          Issue.record(Comment(rawValue: difference))
          return
        }
      }
    }
    #expect(matched > Self.rounds / 20)
    // Most of these paths do not begin with a name.
    #expect(projected > Self.rounds / 100)
  }

  private static let paths: [JSONPath] = [
    "$.a", "$.a.b", "$.b[1]", "$.b[*].c", "$.*", "$.a..b", "$['a','b']", "$.b[-1]", "$.b[?@.c > 1].c", "$.none.a",
    "$[1].a", "$.b[0:2]", "$.a[*][*]", "$['\"a']", "$['a\\\\']", "$['é'].a",
  ]

  /// Records with text that can be mistaken for structure, a name or a value.
  private static let tricky = [
    #"{"a":1,"a":{"b":2}}"#, #"{"a":{"b":2},"a":1}"#, #"{"\u0061":{"b":3},"a":{"b":4}}"#, #"{"a":{"\u0062":1,"b":2}}"#,
    #"{"\u0061":1}"#, #"{"x\"a":1,"a":2}"#, #"{"\"a":1,"a\\":2}"#, #"{"b":[[1],{"c":2},{"c":3,"c":4}]}"#, "{}", "[]",
    #"{"b":{"1":2}}"#, #"[0,{"a":1},2]"#, "[[],{}]", "7", #""a""#, "null", #"{"b":[]}"#, #"{"a":[[1,[2]],{"x":[3]}]}"#,
    #"{"a":"\ud83d\ude00","b":[-0.5e+7,true,false,null]}"#, #"{"é":{"a":"é"}}"#, #" {"a" : 1 , "b" : [ 1 , 2 ] } "#,
    #"{"b":[{"c":1},{"c":2},{"c":null}],"a":{"b":{"b":[{"b":0}]}}}"#,
    #"{"skip":{"a":1,"deep":[[[{"b":"]}"}]]]},"a":{"skip":[1,2],"b":false}}"#, #"{"":{"a":1},"a":{"":2}}"#,
  ]

  @Test func `escaped names, first members, empty records and scalars are read correctly`() throws {
    for end in ["\n", "\r\n", "\n\n\n"] {
      for mark in ["", "\u{FEFF}"] {
        let bytes = Array((mark + Self.tricky.joined(separator: end)).utf8)
        for path in Self.paths {
          for size in [nil, 1, 2, 63, 64, 65, 300] as [Int?] {
            let (difference, _) = try Self.difference([path], bytes, [size])
            #expect(difference == nil)
          }
        }
        let (difference, all) = try Self.difference(Self.paths, bytes, [nil, 7])
        #expect(difference == nil)
        #expect(all.lines.count > 50)
      }
    }
  }

  @Test(arguments: [JSONFraming.values, .textSequence, .document])
  func `other framings give the same`(framing: JSONFraming) throws {
    let records = framing == .document ? [Self.tricky[21]] : Self.tricky
    let text = records.map { framing == .textSequence ? "\u{1E}\($0)\n" : $0 + " " }.joined()
    // A document is a record if a condition applies to it.
    let condition = try JSONCondition("@.b || @.a")
    for path in Self.paths {
      for paths in [[path], [path, "$"]] {
        let (difference, _) = try Self.difference(paths, where: condition, Array(text.utf8), [nil, 1, 64], framing)
        #expect(difference == nil)
      }
    }
  }

  // MARK: Damage

  @Test(arguments: [
    "{\"x\":\"1,\"a\":2}", "{\"x\":[1,\"a\":2}", "{\"x\":1,\"a\":2", "{\"x\":{]},\"a\":2}", "{\"a\":2}}",
    "{\"a\":2} {}",
    "{\"a\" 2}", "{\"a\":}", "{\"a\":,}", "{\"a\":[1,\"x\"}]", "[1}", "x", "\"", "{", "nul", "1 2", "{\"a\":2}\u{1}",
    // Damage to a result.
    "{\"a\":02}", "{\"a\":\"\\x\"}", "{\"a\":tru}", "{\"a\":nulL}", "{\"a\":[1,]}", "{\"a\":\"\u{1}\"}",
    "{\"a\":\"\\ud800\"}", "{\"x\":1,\"a\":{\"b\" 1}}", "{\"a\":-}", "{\"a\":{\"\\q\":1}}", "{\"a\":1.}",
  ])
  func `damage to structure or to a result is a bad record with the same error`(text: String) throws {
    let bytes = Array("{\"a\":0}\n\(text)\n{\"a\":1}\n".utf8)
    for path: JSONPath in ["$.a", "$.a[*]", "$.*"] {
      let (difference, expected) = try Self.difference([path], bytes, [nil] + (1...bytes.count).map { $0 })
      #expect(difference == nil)
      #expect(expected.errors.count == 1)
    }
  }
}
