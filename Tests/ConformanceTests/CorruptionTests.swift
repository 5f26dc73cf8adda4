import Foundation
import JSONSift
import TestSupport
import Testing

@Suite struct CorruptionTests {
  /// About 300 bytes in which every kind of token is adjacent to every other.
  private static let document = Array(
    #"""
    {"id":-12.5e+3,"ok":[true,false,null,0,10,""," \"\\\/\b\f\n\r\t"],
     "n\u00e9":{"é":"東京 😀","pair":"\ud83d\ude00","deep":[[],{},[{"":[0.5]}]]},
     "numbers":[1E9,-0,0e-1,9007199254740993,3.25] , "literals" : { "a":true , "b":null },
     "text":"The quick brown fox, \u0041\u007a; [1,2] {3:4}","end":"\\"}
    """#.utf8)

  /// Each byte of the document takes all 256 values; in a debug build it takes about ten, different for each byte.
  @Test func `one damaged byte has the same outcome for every way of reading`() throws {
    var failures: [String] = []
    var parser = JSONParser()
    try Self.forEachDamage { bytes, location in
      var whole: JSONError?
      do throws(JSONError) { _ = try parser.parse(bytes) } catch { whole = error }
      for size in [1, 3] {
        let cut = events(of: bytes, chunk: size).error
        // The whole error, with its message.
        if cut != whole { failures.append("\(location) in chunks of \(size): \(words(cut)), not \(words(whole))") }
      }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test func `one damaged byte is judged as Foundation judges it except for known differences`() throws {
    var failures: [String] = []
    var parser = JSONParser()
    try Self.forEachDamage { bytes, location in
      let ours = Outcome { () throws(JSONError) in _ = try parser.parse(bytes) }
      let theirs = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
      if ours.isAccepted != theirs, !Self.isKnownDifference(bytes, ours) {
        failures.append("\(location): \(ours), but Foundation \(theirs ? "accepts" : "refuses")")
      }
    }
    #expect(failures.isEmpty, "\(summary(of: failures, showing: 60))")
  }

  /// The differences from Foundation, as of Swift 6.3 on Linux:
  /// - Foundation rejects a number that is larger than any Double; here a number is text.
  /// - Foundation accepts a comma before a closing bracket.
  private static func isKnownDifference(_ bytes: [UInt8], _ ours: Outcome) -> Bool {
    switch ours {
    case .accepted:
      var open = (try? JSON(parsing: bytes)).map { [$0] } ?? []
      while let value = open.popLast() {
        if value.type == .number, value.double?.isFinite == false { return true }
        for (_, child) in value { open.append(child) }
      }
      return false
    case .rejected("unexpectedByte", let offset):
      let isClosing = bytes[offset] == UInt8(ascii: "]") || bytes[offset] == UInt8(ascii: "}")
      return isClosing && bytes[..<offset].last { $0 > 0x20 } == UInt8(ascii: ",")
    default: return false
    }
  }

  private static func forEachDamage(_ body: (_ bytes: [UInt8], _ location: String) throws -> Void) throws {
    #expect(events(of: document, chunk: nil).outcome == .accepted)
    for index in document.indices {
      var bytes = document
      for value in UInt8.min...UInt8.max where !isDebug || (Int(value) + index * 7) % 25 == 0 {
        bytes[index] = value
        try body(bytes, "byte \(index) is 0x\(String(value, radix: 16))")
      }
    }
  }
}
