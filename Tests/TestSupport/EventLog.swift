import JSONSift

/// Records every event with its byte range and text.
package struct EventLog: JSONEventHandler {
  package enum Kind: UInt8, Sendable {
    case startObject, key, endObject, startArray, endArray, string, number, bool, null
  }

  package struct Event: Equatable, Sendable, CustomStringConvertible {
    package let kind: Kind
    package let range: Range<Int>
    /// The decoded characters of a string or key, the text of a number, `true` or `false`; otherwise empty.
    package let text: String
    package let isEscaped: Bool

    /// Compares the number of bytes too, because Swift treats canonically equivalent texts as equal.
    package static func == (left: Event, right: Event) -> Bool {
      left.kind == right.kind && left.range == right.range && left.isEscaped == right.isEscaped
        && left.text.utf8.count == right.text.utf8.count && left.text == right.text
    }

    package var description: String {
      "\(kind) \(range)\(isEscaped ? " escaped" : "")\(text.isEmpty ? "" : " \(text.prefix(60).debugDescription)")"
    }
  }

  package private(set) var events: [Event] = []
  private var depth = 0
  /// Whether the events form a complete value.
  package var isComplete: Bool { depth == 0 && !events.isEmpty }

  package init() {}

  private mutating func add(_ kind: Kind, _ range: Range<Int>, _ text: String = "", isEscaped: Bool = false) -> Bool {
    events.append(Event(kind: kind, range: range, text: text, isEscaped: isEscaped))
    return true
  }

  package mutating func startObject(at offset: Int) -> Bool {
    depth += 1
    return add(.startObject, offset..<offset + 1)
  }
  package mutating func key(_ key: borrowing JSONText) -> Bool {
    add(.key, key.byteRange, key.string, isEscaped: key.isEscaped)
  }
  package mutating func endObject(at offset: Int) -> Bool {
    depth -= 1
    return add(.endObject, offset..<offset + 1)
  }
  package mutating func startArray(at offset: Int) -> Bool {
    depth += 1
    return add(.startArray, offset..<offset + 1)
  }
  package mutating func endArray(at offset: Int) -> Bool {
    depth -= 1
    return add(.endArray, offset..<offset + 1)
  }
  package mutating func string(_ string: borrowing JSONText) -> Bool {
    add(.string, string.byteRange, string.string, isEscaped: string.isEscaped)
  }
  package mutating func number(_ number: borrowing JSONText) -> Bool {
    add(.number, number.byteRange, number.string, isEscaped: number.isEscaped)
  }
  package mutating func bool(_ value: Bool, byteRange: Range<Int>) -> Bool {
    add(.bool, byteRange, value ? "true" : "false")
  }
  package mutating func null(byteRange: Range<Int>) -> Bool { add(.null, byteRange) }
}

/// The events of a text and the error that ended it.
package struct Reading: Equatable, Sendable {
  package let events: [EventLog.Event]
  package let error: JSONError?
  /// Whether the events of one value were complete, regardless of what followed.
  package let isComplete: Bool

  package var outcome: Outcome { Outcome(error) }

  /// Returns a description of the first difference from another reading, or `nil`.
  package func difference(from other: Reading) -> String? {
    for (index, (event, found)) in zip(events, other.events).enumerated() where event != found {
      return "event \(index) is \(found), not \(event)"
    }
    if events.count != other.events.count {
      return "\(other.events.count) events, not \(events.count), and \(other.outcome), not \(outcome)"
    }
    if error != other.error { return "\(words(other.error)), not \(words(error))" }
    return nil
  }
}

/// Describes an error with its code, offset and message.
package func words(_ error: JSONError?) -> String {
  error.map { "\($0.code)@\($0.byteOffset) '\($0.message)'" } ?? "no error"
}

/// Feeds `bytes` to a ``JSONPushReader`` in chunks of `size` bytes, or as one chunk, and finishes.
package func events(of bytes: [UInt8], chunk size: Int?, options: JSONOptions = JSONOptions()) -> Reading {
  let size = size ?? max(bytes.count, 1)
  return events(of: bytes, cutAt: Array(stride(from: size, to: bytes.count, by: size)), options: options)
}

/// Feeds `bytes` in chunks that end at the given offsets, which must increase.
package func events(of bytes: [UInt8], cutAt cuts: [Int], options: JSONOptions = JSONOptions()) -> Reading {
  var reader = JSONPushReader(EventLog(), options: options)
  var failure: JSONError?
  let all = unsafe bytes.span.bytes
  do throws(JSONError) {
    for (start, end) in zip([0] + cuts, cuts + [bytes.count]) { try reader.feed(all.extracting(start..<end)) }
    try reader.finish()
  } catch {
    failure = error
  }
  let log = reader.handler
  return Reading(events: log.events, error: failure, isComplete: log.isComplete)
}
