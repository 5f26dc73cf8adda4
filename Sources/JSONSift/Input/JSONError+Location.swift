extension JSONError {
  /// Returns the location in the document of the error, as a normalized path of RFC 9535: the value that begins at the
  /// error's offset, that is open there, or that is expected next.
  ///
  /// Messages about limits contain the allowed value; the location says which value broke the limit. The method reads the
  /// text again, so call it only for errors that are shown.
  ///
  /// - Parameters:
  ///   - input: The bytes from the start of the document or record on.
  ///   - start: The offset of its first byte in the input from which ``byteOffset`` counts.
  /// - Returns: The location; `nil` if the text before the error is not the beginning of a JSON text, or if the error is
  ///   before `start`.
  /// - Complexity: O(``byteOffset``), with memory for one chunk of the input, the open keys and the longest string.
  public func location(in input: some Sequence<UInt8>, from start: Int = 0) -> JSONPath.Location? {
    guard byteOffset >= start else { return nil }
    var finder = LocationFinder(bytes: byteOffset - start)
    var iterator = input.makeIterator()
    var chunk: [UInt8] = []
    chunk.reserveCapacity(LocationFinder.chunkBytes)
    while finder.bytesLeft > 0 {
      chunk.removeAll(keepingCapacity: true)
      while chunk.count < LocationFinder.chunkBytes, let byte = iterator.next() { chunk.append(byte) }
      guard !chunk.isEmpty, finder.feed(chunk) else { return nil }
    }
    return finder.location
  }

  /// Returns the location of the error in a document, which is read again from its source.
  package func location(in source: JSONSource) -> JSONPath.Location? {
    var finder = LocationFinder(bytes: byteOffset)
    do throws(JSONError) {
      var window = try ReadWindow(source)
      while finder.bytesLeft > 0 {
        guard try window.fill(), unsafe finder.feed(window.bytes) else { return nil }
        window.use(unsafe window.bytes.count)
      }
    } catch {
      return nil
    }
    return finder.location
  }
}

/// Parses a text up to an offset, and keeps the path that leads there.
private struct LocationFinder: ~Copyable {
  static let chunkBytes = Sizes.of(64 << 10, fuzzing: 48)

  private(set) var bytesLeft: Int
  private var reader: JSONPushReader<OpenLevels>

  init(bytes: Int) {
    bytesLeft = bytes
    reader = JSONPushReader(OpenLevels(), options: JSONOptions(limits: .unlimited, loneSurrogates: .replace))
  }

  var location: JSONPath.Location { JSONPath.Location(steps: reader.handler.levels.compactMap(\.step)) }

  /// Returns whether the bytes are valid so far.
  mutating func feed(_ bytes: some Collection<UInt8>) -> Bool {
    let count = min(bytes.count, bytesLeft)
    bytesLeft -= count
    do throws(JSONError) {
      try reader.feed(bytes.prefix(count))
      return true
    } catch {
      return false
    }
  }
}

/// The open containers, each with its current index or key.
private struct OpenLevels: JSONEventHandler {
  enum Level {
    /// An array with this number of complete elements.
    case array(Int)
    /// An object with the key whose value is incomplete; `nil` between members.
    case object(String?)

    var step: JSON.Step? {
      switch self {
      case .array(let count): .index(count)
      case .object(let key): key.map { .key($0) }
      }
    }
  }

  private(set) var levels: [Level] = []

  private mutating func endValue() -> Bool {
    switch levels.popLast() {
    case .array(let count): levels.append(.array(count + 1))
    case .object: levels.append(.object(nil))
    case nil: break
    }
    return true
  }

  private mutating func endContainer() -> Bool {
    levels.removeLast()
    return endValue()
  }

  mutating func startObject(at offset: Int) -> Bool {
    levels.append(.object(nil))
    return true
  }

  mutating func key(_ key: borrowing JSONText) -> Bool {
    levels.removeLast()
    levels.append(.object(key.string))
    return true
  }

  mutating func startArray(at offset: Int) -> Bool {
    levels.append(.array(0))
    return true
  }

  mutating func endObject(at offset: Int) -> Bool { endContainer() }
  mutating func endArray(at offset: Int) -> Bool { endContainer() }
  mutating func string(_ string: borrowing JSONText) -> Bool { endValue() }
  mutating func number(_ number: borrowing JSONText) -> Bool { endValue() }
  mutating func bool(_ value: Bool, byteRange: Range<Int>) -> Bool { endValue() }
  mutating func null(byteRange: Range<Int>) -> Bool { endValue() }
}
