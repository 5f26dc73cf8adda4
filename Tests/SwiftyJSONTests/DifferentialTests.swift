import Foundation
import SwiftyJSON
import TestSupport
import Testing

/// Generated documents, read by us and by `JSONSerialization`.
///
/// These differences are intended, and no others may occur:
/// - A comma before a closing bracket: Foundation on Linux accepts it, we do not.
/// - A number beyond all Doubles, such as 1e400: Foundation rejects the document, we keep the number.
/// - A number of more than 38 digits: Foundation's Decimal drops the excess digits; its Double is the same.
/// - U+FEFF at the start of a string or after an escape: Foundation on Linux drops it, we keep it.
/// - A key in two compositions of the same characters: either spelling is kept in a dictionary of Swift.
@Suite struct DifferentialTests {
  static let documents = isDebug ? 3_000 : 100_000

  @Test func `a generated document equals the result of JSONSerialization`() throws {
    let generator = SeededGenerator()
    var writer = DocumentWriter(generator)
    var failures: [String] = []
    for number in 0..<Self.documents {
      let text = writer.document().replacing("\u{FEFF}", with: "x")
      let data = Data(text.utf8)
      do {
        let reference = try JSONSerialization.jsonObject(with: data)
        let json = try JSON(data: data)
        if let difference = difference(between: json.object, and: reference) {
          failures.append("document \(number): \(difference) in \(text.prefix(2000))")
        }
      } catch {
        failures.append("document \(number): \(error) in \(text.prefix(2000))")
      }
    }
    #expect(failures.isEmpty, "\(generator) \(summary(of: failures))")
  }

  @Test func `a damaged document is rejected if JSONSerialization rejects it`() throws {
    let generator = SeededGenerator()
    var writer = DocumentWriter(generator)
    var failures: [String] = []
    for number in 0..<Self.documents / 4 {
      var bytes = Array(writer.document().replacing("\u{FEFF}", with: "x").utf8)
      for _ in 0...writer.below(2) where !bytes.isEmpty {
        let offset = writer.below(bytes.count)
        switch writer.below(4) {
        case 0: bytes.remove(at: offset)
        case 1: bytes[offset] = writer.pick(Array("{}[]\",:\\0123456789eE+-.tfnu/ \n".utf8))
        case 2: bytes[offset] ^= UInt8(1 << writer.below(8))
        default: bytes.removeLast(bytes.count - offset)
        }
      }
      let data = Data(bytes)
      // A flipped bit may create that character.
      guard data.range(of: Data("\u{FEFF}".utf8)) == nil else { continue }
      let reference = try? JSONSerialization.jsonObject(with: data)
      let json = try? JSON(data: data)
      switch (json, reference) {
      case (nil, nil): break
      case (let json?, let reference?):
        if let difference = difference(between: json.object, and: reference) {
          failures.append("document \(number): \(difference) in \(data.base64EncodedString())")
        }
      case (let json?, nil):
        if !hasInfiniteNumber(json) { failures.append("document \(number): accepted \(data.base64EncodedString())") }
      case (nil, _?):
        if !hasTrailingComma(bytes) { failures.append("document \(number): refused \(data.base64EncodedString())") }
      }
    }
    #expect(failures.isEmpty, "\(generator) \(summary(of: failures))")
  }

  private func hasInfiniteNumber(_ json: JSON) -> Bool {
    json.type == .number ? json.double?.isInfinite == true : json.contains { hasInfiniteNumber($0.1) }
  }

  private func hasTrailingComma(_ bytes: [UInt8]) -> Bool {
    let tokens = withoutBlanks(bytes)
    return zip(tokens, tokens.dropFirst()).contains { $0 == UInt8(ascii: ",") && "]}".utf8.contains($1) }
  }

  @Test func `the intended differences are exactly these`() throws {
    for text in ["[1,]", #"{"a":1,}"#] {
      #expect((try? JSON(data: Data(text.utf8))) == nil)
    }
    #expect(try parsed("[1e400]")[0].numberText == "1e400")
    let long = String(repeating: "123456789", count: 6)
    #expect(try parsed("[\(long)]")[0].stringValue == long)
    let number = try #require(try parsed("[\(long)]").arrayObject?[0] as? NSNumber)
    #expect(abs(number.doubleValue / 1.2345678912345678e53 - 1) < 1e-15)
    let marked = "\u{FEFF}a"
    #expect(isSame(try parsed("[\"\(marked)\"]").arrayObject?[0] as? String, marked))
    #expect(isSame(try parsed("{\"\(marked)\":1}").dictionaryObject?.keys.first, marked))
    let composed = try parsed(#"{"\u00e9":1,"e\u0301":2}"#)
    #expect(composed.dictionaryObject?.count == 1 && composed.dictionaryObject?["é"] as? Int == 2)
  }

  /// Edge cases of the number grammar, each in a separate document.
  @Test func `a number of any form equals the NSNumber of JSONSerialization`() throws {
    var texts: [String] = []
    for integer in ["0", "1", "9", "10", "123456789", "9007199254740993", "18446744073709551615"] {
      for fraction in ["", ".0", ".5", ".10", ".000001", ".123456789"] {
        for exponent in ["", "e0", "E1", "e+2", "e-1", "E-10", "e15", "e100", "e-100"] {
          texts += [integer + fraction + exponent, "-" + integer + fraction + exponent]
        }
      }
    }
    for text in texts {
      let reference = try JSONSerialization.jsonObject(with: Data("[\(text)]".utf8))
      let found = difference(between: try parsed("[\(text)]").object, and: reference)
      #expect(found == nil, "\(text)")
    }
  }
}
