import JSONSift

extension FuzzTarget {
  /// Compares the results for a text when nothing is requested, so that it is validated, with the results when everything is
  /// parsed, and both with the ``Recogniser``.
  static let validation = FuzzTarget(name: "validation") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    let framings: [JSONFraming] = [.document, .lines, .values, .textSequence]
    let framing = framings[input.choice() % 4]
    var options = JSONRecordOptions(framing: framing, reading: input.options())
    let size = input.choice()
    let text = input.text
    if framing == .document {
      let validated = matchAll([], source(text, size), options.reading)
      let parsed = matchAll([absent], source(text, size), options.reading)
      try expectEqual("document", validated.map { Short($0) }, parsed.map { Short($0) })
      try compareWithRecogniser(text, validated?.error, options.reading)
    } else {
      options.skipsPrefix = framing == .lines && text.count % 3 == 0
      let counted = try countAll(source(text, size), options, counts: true)
      let parsed = try countAll(source(text, size), options, counts: false)
      try expectEqual("\(framing)", counted, parsed)
    }
  }
}

/// A path that no input matches, because the name is longer than the inputs: a match would be held to its limit of bytes.
private let absent = "$..['\(String(repeating: "absent", count: 1000))']"

/// Throws if the library accepts a text that the recogniser rejects, or rejects it for another reason than a limit.
func compareWithRecogniser(_ text: [UInt8], _ error: JSONError?, _ options: JSONOptions) throws(Difference) {
  let limits: Set<JSONError.Code> = [
    .depthLimit, .stringLimit, .keyLimit, .numberLimit, .recordLimit, .tapeLimit, .queryLimit, .compressedInput,
  ]
  if let error, limits.contains(error.code) { return }
  let accepts = Recogniser.accepts(text, allowingLoneSurrogates: options.loneSurrogates == .replace)
  try expect(accepts == (error == nil), "the recogniser \(accepts ? "accepts" : "rejects") it", error as Any)
}

/// An error with all that is said about it.
struct Report: Equatable {
  let error: JSONError
  let position: JSONError.Position
  let excerpt: String?
  var bad: JSONBadRecord?
}

/// A report without its excerpt, which shows what is in memory.
private struct Short: Equatable {
  let error: JSONError
  let position: JSONError.Position
  init(_ report: Report) { (error, position) = (report.error, report.position) }
}

private func matchAll(_ paths: [String], _ source: JSONSource, _ options: JSONOptions) -> Report? {
  do throws(JSONError) {
    var asked: [(name: String, path: JSONPath)] = []
    for text in paths { asked.append((text, try JSONPath(text))) }
    var matches = try JSONMatches(of: asked, in: source, options: options)
    do throws(JSONError) {
      while try matches.next() != nil {}
      return nil
    } catch {
      return Report(error: error, position: matches.position(of: error), excerpt: matches.excerpt(of: error)?.text)
    }
  } catch {
    // Compressed input is rejected when the source is opened.
    return Report(error: error, position: JSONError.Position(byteOffset: 0, line: 0, column: 0), excerpt: nil)
  }
}

private struct Counted: Equatable {
  var count = 0
  var bad: [Report] = []
  var checkpoint: JSONCheckpoint?
}

private func countAll(
  _ source: JSONSource, _ options: JSONRecordOptions, counts: Bool
) throws(Difference) -> Counted {
  var found = Counted()
  do throws(JSONError) {
    var reader = try JSONRecordReader(source, options: options)
    while true {
      do throws(JSONError) {
        if counts {
          found.count += try reader.countRecords()
          break
        }
        guard try reader.next() != nil else { break }
        found.count += 1
      } catch {
        let report = Report(
          error: error, position: reader.position(of: error), excerpt: reader.excerpt(of: error).text,
          bad: reader.badRecord(of: error))
        // Nothing is read after a bad value.
        if found.bad.last == report { break }
        found.bad.append(report)
        // The records before it are not counted.
        found.count = 0
      }
    }
    found.checkpoint = reader.checkpoint
  } catch {
    guard error.code == .compressedInput else { throw Difference("the source is good", error, "") }
  }
  return found
}
