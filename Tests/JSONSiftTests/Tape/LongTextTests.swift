import TestSupport
import Testing

@testable import JSONSift

/// Texts that are longer than the length field of a tape word.
@Suite struct LongTextTests {
  static let lengths = [1 << 18, (1 << 20) - 2, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3_000_000]
  /// In a debug build the last length that fits and the first that does not.
  static let fewLengths = isDebug ? [(1 << 20) - 1, 1 << 20] : lengths

  @Test(arguments: lengths)
  func `a long string keeps its range and characters`(length: Int) throws {
    let text = String(repeating: "a", count: length)
    let json = try JSON(parsing: "[1,\"\(text)\",{\"k\":\"\(text)\"},2]")
    #expect(json[1].byteRange == 3..<length + 5)
    #expect(json[1].string?.utf8.count == length)
    #expect(json[1].string == text)
    #expect(json[2].byteRange == length + 6..<2 * length + 14)
    #expect(json[2]["k"].string == text)
    #expect(json[3].int == 2)
    #expect(json.rawBytes.count == 2 * length + 17)
  }

  @Test(arguments: lengths)
  func `a long string with escapes keeps its range and characters`(length: Int) throws {
    let source = #"\""# + String(repeating: "b", count: length - 4) + #"\\"#
    let json = try JSON(parsing: "[\"\(source)\",2]")
    #expect(json[0].byteRange == 1..<length + 3)
    let string = json[0].string ?? ""
    #expect(string.utf8.count == length - 2)
    #expect(string.hasPrefix("\"b") && string.hasSuffix("b\\"))
    #expect(json[1].int == 2)
  }

  @Test(arguments: fewLengths)
  func `a long key is found`(length: Int) throws {
    let key = String(repeating: "k", count: length)
    let escaped = #"\u0065"# + String(repeating: "e", count: length - 6)
    let members = "\"\(key)\":[1],\"\(escaped)\":[2],\"x\":3"
    for filling in ["", (0..<20).map { ",\"\($0)\":0" }.joined()] {
      let json = try JSON(parsing: "{\(members)\(filling)}", options: JSONOptions(limits: .unlimited))
      #expect(json[key][0].int == 1)
      #expect(json[String(repeating: "e", count: length - 5)][0].int == 2)
      #expect(json["x"].int == 3)
      #expect(json[key + "k"].error == .notExist)
      #expect(json.map(\.0.utf8.count).prefix(3) == [length, length - 5, 1])
    }
  }

  @Test(arguments: fewLengths)
  func `a long number keeps its range and text`(length: Int) throws {
    let digits = String(repeating: "7", count: length - 5) + ".5e+1"
    let json = try JSON(parsing: "[\(digits),{\"n\":\(digits)},\(digits)]", options: JSONOptions(limits: .unlimited))
    #expect(json[0].byteRange == 1..<length + 1)
    #expect(json[0].numberText == digits)
    #expect(json[1]["n"].numberText == digits)
    #expect(json[2].byteRange == 2 * length + 9..<3 * length + 9)
    #expect(json[2].double == .infinity)
  }

  @Test(arguments: [(1 << 20) - 1, 1 << 20, 1_500_000])
  func `a long text is the same in chunks`(length: Int) throws {
    let text =
      "[\"" + String(repeating: "é", count: length / 2) + "\",\"" + String(repeating: "\\n", count: length / 2) + "\"]"
    let bytes = Array(text.utf8)
    var matches = try JSONMatches(of: "$[*]", in: .chunks(chunks(of: bytes, size: 65_537)))
    var ranges: [Range<Int>] = []
    while let match = try matches.next() {
      ranges.append(match.byteRange)
      #expect(match.value.rawBytes.elementsEqual(bytes[match.byteRange]))
    }
    let half = length / 2
    #expect(ranges == [1..<(half * 2 + 3), (half * 2 + 4)..<(half * 4 + 6)])
  }

  @Test func `a text whose offsets do not fit into a tape word is rejected before a byte of it is read`() {
    let first: [UInt8] = [0x5B]
    unsafe first.withUnsafeBytes { bytes in
      // Only the count is read.
      let text = unsafe UnsafeRawBufferPointer(start: bytes.baseAddress, count: TapeWord.maxOffset)
      var builder = DocumentBuilder(options: JSONOptions(limits: .unlimited))
      do throws(JSONError) {
        _ = try unsafe builder.document(copying: text, origin: 7)
        Issue.record("it is taken")
      } catch {
        #expect(error == JSONError(.recordLimit, at: 7, limit: (1 << 40) - 1))
        #expect(error.message == "expected a record of at most 1099511627775 bytes, found a longer one")
      }
    }
  }
}
