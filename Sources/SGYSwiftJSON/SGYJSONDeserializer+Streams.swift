import Foundation
import JSONSift
import JSONSiftFoundation

/// Reads the models of a stream, one at a time, in bounded memory.
///
/// ```swift
/// let deserializer = SGYJSONDeserializer()
/// var people = try deserializer.models(of: Person.self, in: .path("people.ndjson"))
/// while let person = try people.next() { print(person.name ?? "?") }
/// ```
///
/// A model does not retain the text. Memory is bounded as described for `JSONRecordReader` and `JSONMatches`.
public struct JSONModelReader<Model: JSONKeyValueCreatable>: ~Copyable {
  // Exactly one of these is set.
  private var records: JSONRecordReader?
  private var matches: JSONMatches?
  private let deserializer: SGYJSONDeserializer
  private let observer: (any JSONWarningObserver)?

  fileprivate init(
    _ records: consuming JSONRecordReader?, _ matches: consuming JSONMatches?, _ deserializer: SGYJSONDeserializer,
    _ observer: (any JSONWarningObserver)?
  ) {
    self.records = consume records
    self.matches = consume matches
    self.deserializer = deserializer
    self.observer = observer
  }

  /// Returns the next model, or `nil` at the end.
  ///
  /// - Throws: An NSError with a ``SGYJSONDeserializer/DeserializeError``: the text is not valid JSON, or the value is
  ///   not an object. If records are lines, the next call continues with the next line after invalid text. After a
  ///   value that is not an object, the next call continues with the next value, in every stream.
  public mutating func next() throws -> Model? {
    guard let json = try nextValue() else { return nil }
    return try deserializer.deserialize(json, observer: observer)
  }

  private mutating func nextValue() throws -> JSON? {
    do throws(JSONError) {
      if let record = try records?.next() { return record.value }
      if let match = try matches?.next() { return match.value }
      return Optional.none
    } catch {
      throw NSError.unreadable(error)
    }
  }
}

@available(*, unavailable)
extension JSONModelReader: Sendable {}

extension SGYJSONDeserializer {
  /// Reads a model from each record of a stream.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - source: The text.
  ///   - framing: How the text is divided into records.
  ///   - options: The limits for reading.
  ///   - observer: Notified of each value that was not converted.
  /// - Throws: An NSError with a ``DeserializeError`` if the source cannot be opened.
  public func models<Model: JSONKeyValueCreatable>(
    of type: Model.Type = Model.self, in source: JSONSource, framing: JSONFraming = .lines,
    options: JSONOptions = JSONOptions(), observer: (any JSONWarningObserver)? = nil
  ) throws -> JSONModelReader<Model> {
    do throws(JSONError) {
      return JSONModelReader(try JSONRecordReader(source, framing: framing, options: options), nil, self, observer)
    } catch {
      throw NSError.unreadable(error)
    }
  }

  /// Reads a model from each value that a path selects in a stream.
  ///
  /// ```swift
  /// var people = try deserializer.models(of: Person.self, at: "$.people[*]", in: .path("huge.json"))
  /// ```
  ///
  /// - Throws: An NSError with a ``DeserializeError`` if the source cannot be opened or the path cannot be evaluated.
  public func models<Model: JSONKeyValueCreatable>(
    of type: Model.Type = Model.self, at path: JSONPath, in source: JSONSource, framing: JSONFraming = .document,
    options: JSONOptions = JSONOptions(), observer: (any JSONWarningObserver)? = nil
  ) throws -> JSONModelReader<Model> {
    do throws(JSONError) {
      return JSONModelReader(
        nil, try JSONMatches(of: path, in: source, framing: framing, options: options), self, observer)
    } catch {
      throw NSError.unreadable(error)
    }
  }
}

extension NSError {
  /// Creates the error for a stream that cannot be opened or read.
  fileprivate static func unreadable(_ error: JSONError) -> NSError {
    let json = NSError.notJSON(error, position: "Byte \(error.byteOffset)")
    return NSError.holding(SGYJSONDeserializer.DeserializeError.jsonDeserializationError(json))
  }
}
