import JSONSift
import TestSupport

/// Every API that reads one document, all applied to the same input.
enum EntryPoints {
  /// The chunk sizes in which streams get their bytes.
  static let streamChunks = [1, 7, 64]

  /// Returns a description of each entry point's result that is not `expected`; empty if all agree.
  ///
  /// If the input is accepted, the values are compared too.
  static func disagreements(on bytes: [UInt8], expected: Outcome) throws -> [String] {
    var found: [String] = []
    func check(_ name: String, _ outcome: Outcome, _ expected: Outcome = expected) {
      if outcome != expected { found.append("\(name): \(outcome), not \(expected)") }
    }
    func check(_ name: String, _ read: () throws(JSONError) -> JSON) {
      do throws(JSONError) {
        let json = try read()
        check(name, .accepted)
        if let difference = try rootDifference(json, bytes) { found.append("\(name): \(difference)") }
      } catch {
        check(name, Outcome(error))
      }
    }

    check("JSON(parsing: Array)") { () throws(JSONError) in try JSON(parsing: bytes) }
    // Surrounding bytes that would change every error if they were read.
    let surrounded = Array("[\"".utf8) + bytes + Array("\"]".utf8)
    check("JSON(parsing: ArraySlice)") { () throws(JSONError) in try JSON(parsing: surrounded[2..<2 + bytes.count]) }
    check("JSON(parsing: no memory of its own)") { () throws(JSONError) in try JSON(parsing: bytes.lazy.map { $0 }) }
    let file = try TemporaryFile(bytes)
    check("JSON(contentsOf: copied)") { () throws(JSONError) in try JSON(contentsOf: file.path) }
    check("JSON(contentsOf: mapped)") { () throws(JSONError) in try JSON(contentsOf: file.path, loading: .mapped) }

    let reading = events(of: bytes, chunk: nil)
    check("JSONPushReader", reading.outcome)
    do throws(JSONError) {
      _ = try JSON(parsing: bytes)
    } catch {
      // The same error, with the same message.
      if error != reading.error { found.append("JSONPushReader: \(words(reading.error)), not \(words(error))") }
    }
    if let difference = differenceOverEveryChunking(of: bytes) { found.append("JSONPushReader \(difference)") }

    for size in streamChunks {
      let records = records(of: bytes, framing: .document, chunk: size)
      check("JSONRecordReader in chunks of \(size)", records.outcome)
      if expected.isAccepted { found += compare(records.ranges, bytes, "JSONRecordReader in chunks of \(size)") }

      // A path with a wildcard reads to the end of the input.
      check("JSONMatches of $[*] in chunks of \(size)", matches(of: "$[*]", in: bytes, chunk: size).outcome)
      let root = matches(of: "$", in: bytes, chunk: size)
      check("JSONMatches of $ in chunks of \(size)", root.outcome)
      if root.outcome.isAccepted { found += compare(root.ranges, bytes, "JSONMatches of $ in chunks of \(size)") }
    }
    return found
  }

  /// Returns the ranges of the records of a stream, and its outcome.
  static func records(
    of bytes: [UInt8], framing: JSONFraming, chunk size: Int?
  ) -> (ranges: [Range<Int>], outcome: Outcome) {
    var ranges: [Range<Int>] = []
    do throws(JSONError) {
      var reader = try JSONRecordReader(.chunks(Chunks(bytes, size: size)), framing: framing)
      while let record = try reader.next() {
        guard record.value.rawBytes.elementsEqual(bytes[record.byteRange]) else {
          return (ranges, .strange("a record with other bytes than those at \(record.byteRange)"))
        }
        ranges.append(record.byteRange)
      }
    } catch {
      return (ranges, Outcome(error))
    }
    return (ranges, .accepted)
  }

  /// Returns the ranges of the matches in a document, and its outcome.
  static func matches(
    of path: String, in bytes: [UInt8], chunk size: Int?
  ) -> (ranges: [Range<Int>], outcome: Outcome) {
    var ranges: [Range<Int>] = []
    do throws(JSONError) {
      var matches = try JSONMatches(of: path, in: .chunks(Chunks(bytes, size: size)))
      while let match = try matches.next() {
        guard match.value.rawBytes.elementsEqual(bytes[match.byteRange]) else {
          return (ranges, .strange("a match with other bytes than those at \(match.byteRange)"))
        }
        ranges.append(match.byteRange)
      }
    } catch {
      return (ranges, Outcome(error))
    }
    return (ranges, .accepted)
  }

  /// Returns how the only record or match of a document differs from its root.
  private static func compare(_ ranges: [Range<Int>], _ bytes: [UInt8], _ name: String) -> [String] {
    guard let range = ranges.first, ranges.count == 1 else { return ["\(name): \(ranges.count) values, not 1"] }
    let root = valueRange(of: bytes)
    return root.map { $0 == range ? [] : ["\(name): the value is at \(range), not \($0)"] } ?? []
  }

  /// Returns the range that the single value of an accepted document must have, without white space; `nil` if more follows.
  private static func valueRange(of bytes: [UInt8]) -> Range<Int>? {
    guard (try? JSON(parsing: bytes)) != nil else { return nil }
    let blank: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let first = bytes[start...].firstIndex(where: { !blank.contains($0) }),
      let last = bytes.lastIndex(where: { !blank.contains($0) })
    else { return nil }
    return first..<last + 1
  }

  /// Returns how the root of a document differs from the value in its byte range.
  private static func rootDifference(_ json: JSON, _ bytes: [UInt8]) throws(JSONError) -> String? {
    guard let range = json.byteRange, range == valueRange(of: bytes) else {
      return "the root is at \(json.byteRange.debugDescription)"
    }
    guard json.rawBytes.elementsEqual(bytes[range]) else { return "rawBytes are not the bytes at \(range)" }
    return difference(between: json, and: try JSON(parsing: json.rawBytes))
  }
}
