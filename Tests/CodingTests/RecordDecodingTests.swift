import Foundation
import JSONSift
import TestSupport
import Testing

@Suite struct RecordDecodingTests {
  private static let lines = """
    {"x":1,"y":2}
    {"x":1,"y":"2"}

    {"x":3,"y":}
    {"x":3}
    {"x":5,"y":6}
    [1,2]
    {"x":7,"y":8}
    """

  /// The result for each record.
  private enum Step: Equatable {
    case value(Point)
    case shape(line: Int, offset: Int, path: String, text: String)
    case broken(line: Int, byte: Int)
  }

  private static func steps(_ chunks: Chunks) throws -> [Step] {
    var records = try JSONRecordReader(.chunks(chunks))
    var steps: [Step] = []
    while true {
      do {
        guard let value = try records.next(as: Point.self) else { return steps }
        steps.append(.value(value))
      } catch let error as JSONError {
        steps.append(.broken(line: records.line, byte: error.byteOffset))
      } catch {
        guard let context = Self.context(error) else { throw error }
        let path = context.codingPath.map { $0.stringValue }.joined(separator: ".")
        steps.append(
          .shape(line: records.line, offset: records.recordOffset, path: path, text: context.debugDescription))
      }
    }
  }

  private static func context(_ error: any Error) -> DecodingError.Context? {
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
      context
    default: nil
    }
  }

  @Test func `a record of another shape is an error with path, line and byte, and reading continues`() throws {
    let bytes = Array(Self.lines.utf8)
    let expected: [Step] = [
      .value(Point(x: 1, y: 2)),
      .shape(
        line: 2, offset: 14, path: "y", text: "Expected to decode Int but found a string instead. (line 2, byte 25)"),
      .broken(line: 4, byte: 42),
      .shape(
        line: 5, offset: 44, path: "",
        text:
          "No value associated with key CodingKeys(stringValue: \"y\", intValue: nil) (\"y\") in the dictionary (line 5, byte 44)"
      ),
      .value(Point(x: 5, y: 6)),
      .shape(
        line: 7, offset: 66, path: "",
        text: "Expected to decode Dictionary<String, Any> but found an array instead. (line 7, byte 66)"),
      .value(Point(x: 7, y: 8)),
    ]
    #expect(try Self.steps(Chunks(bytes, size: nil)) == expected)
    let difference = try differenceOverEveryChunking(of: bytes) { try Self.steps(Chunks(bytes, size: $0)) }
    #expect(difference == nil)
  }

  @Test func `values of a stream continue after a value of another shape`() throws {
    let text = "{\"x\":1,\"y\":2} 7 {\"x\":3,\"y\":4}\n[{\"x\":1}]{\"x\":5,\"y\":6}"
    var records = try JSONRecordReader(.bytes(Array(text.utf8)), framing: .values)
    var points: [Int] = []
    var errors = 0
    while true {
      do {
        guard let point = try records.next(as: Point.self) else { break }
        points.append(point.x)
      } catch is DecodingError {
        errors += 1
      }
    }
    #expect(points == [1, 3, 5])
    #expect(errors == 2)
  }

  @Test func `records can be JSON values and can be decoded one by one`() throws {
    var values = try JSONRecordReader(.bytes(Array(Self.lines.utf8.prefix(14))))
    #expect(try values.next(as: JSON.self)?["y"].int == 2)
    #expect(try values.next(as: JSON.self) == nil)
    var reader = try JSONRecordReader(.bytes(Array("\n\n{\"x\":1,\"y\":[]}".utf8)))
    let record = try #require(try reader.next())
    do {
      _ = try record.decode(Point.self)
      Issue.record("an array is no number")
    } catch {
      #expect(Self.context(error)?.debugDescription.contains("line 3, byte 13") == true)
    }
  }

  /// Tries two types, and throws the error of the first.
  private struct IntOrFlag: Decodable {
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      do {
        _ = try container.decode(Int.self)
      } catch {
        _ = try? decoder.singleValueContainer().decode(Bool.self)
        throw error
      }
    }
  }

  /// Throws an error with its own message that quotes the decoder's.
  private struct Quoting: Decodable {
    init(from decoder: any Decoder) throws {
      do {
        _ = try decoder.singleValueContainer().decode(Int.self)
      } catch DecodingError.typeMismatch(let type, let context) {
        throw DecodingError.typeMismatch(
          type, .init(codingPath: context.codingPath, debugDescription: "No luck: " + context.debugDescription))
      }
    }
  }

  private func bad<T: Decodable>(_ type: T.Type, _ text: String) throws -> JSONBadRecord? {
    let options = JSONRecordOptions(framing: .lines, recovery: .report)
    var records = try JSONRecordReader(.bytes(Array(text.utf8)), options: options)
    while let element = try records.nextResult(as: type) { if case .failure(let bad) = element { return bad } }
    return nil
  }

  @Test func `the byte of an error belongs to the thrown error, not to the last one created`() throws {
    let error = try bad(IntOrFlag.self, "\n [ true]")?.error
    #expect(error?.byteOffset == 4)
    #expect(error?.message == "[0]: Expected to decode Int but found a bool instead.")
  }

  /// Decodes the text in a string.
  private struct Embedded: Decodable {
    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      _ = try JSONSiftDecoder().decode([Int].self, from: text)
    }
  }

  @Test func `an error of a text in a string has the byte of the record, not a byte of that text`() throws {
    let error = try bad(Embedded.self, "\n  \"[1, true]\"")?.error
    #expect(error?.byteOffset == 3)
    #expect(error?.message == "[1]: Expected to decode Int but found a bool instead. (line 1, byte 4)")
  }

  @Test func `an error has the byte as data`() throws {
    do {
      _ = try JSONSiftDecoder().decode([Int].self, from: "[1, true]")
      Issue.record("a bool is no Int")
    } catch {
      let underlying = Self.context(error)?.underlyingError as? JSONError
      #expect(underlying?.code == .typeMismatch && underlying?.byteOffset == 4)
      #expect(underlying?.message == "Expected to decode Int but found a bool instead.")
    }
  }

  @Test func `the message of a type's own error is reported unchanged`() throws {
    let error = try bad(Quoting.self, "\n  \"x\"")?.error
    #expect(error?.byteOffset == 3)
    #expect(error?.message == "No luck: Expected to decode Int but found a string instead. (line 2, byte 3)")
  }
}
