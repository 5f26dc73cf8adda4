/// A window of time. It selects the records whose time is at or after its start, and before its end.
///
/// ```swift
/// let window = try JSONTimeWindow(of: "$.time", since: "2026-11-24T14:00:00Z", until: "2026-11-24T14:10:00Z")
/// for try await record in JSONRecords("events.ndjson").where(JSONCondition(window)) { print(record.line) }
/// ```
///
/// The time of a record is a string of RFC 3339 (`2026-11-24T15:00:00.123+01:00`) with any number of decimal places, or a
/// number of units since 1970. These spellings are accepted, too: `t`, `z`, a space instead of `T` or before the offset, a
/// comma for the point, offsets such as `+0100` and `+01`, no seconds, no offset (the time is in UTC then), a number in a
/// string, and an object `{"$date": …}` around a time. Comparisons are exact. A record without such a value at the path is
/// not in the window.
///
/// Every record is read: the window is a condition like any other.
public struct JSONTimeWindow: Sendable, Hashable {
  /// The path of the time of a record: the first one, if there are several.
  public var path: JSONPath { paths[0] }
  /// The paths of the time of a record, of which the first one that selects a time counts. There is at least one.
  public let paths: [JSONPath]
  package let bounds: TimeBounds

  /// The paths at which most logs have their times: `ts`, `time`, `timestamp`, `@timestamp`, `t` and `date`.
  public static let commonPaths: [JSONPath] = ["$.ts", "$.time", "$.timestamp", "$['@timestamp']", "$.t", "$.date"]

  /// Creates a window with the texts of its bounds.
  ///
  /// - Parameters:
  ///   - path: The path of the time of a record. It selects at most one value (``JSONPath/isSingular``).
  ///   - since: The first time of the window: RFC 3339, or a decimal number of units since 1970, with at most nine decimal
  ///     places. `nil` for a window without a start.
  ///   - until: The end of the window, which is not part of it. `nil` for a window without an end.
  ///   - unit: The unit of numbers, in records and bounds; `nil` to recognize it by their size (``JSONTimeUnit``).
  /// - Throws: ``JSONError/Code/invalidPath``; ``JSONError/Code/invalidTime`` for a bound that is not a time, or a window
  ///   that ends before it begins.
  public init(
    of path: JSONPath, since: String? = nil, until: String? = nil, unit: JSONTimeUnit? = nil
  ) throws(JSONError) {
    try self.init(of: [path], since: Self.bound(since, unit), until: Self.bound(until, unit), unit)
  }

  /// Creates a window for records that have their times at different paths: as ``init(of:since:until:unit:)-(JSONPath,_,_,_)``
  /// does, where the time of a record is the first one that the paths select.
  ///
  /// ```swift
  /// let window = try JSONTimeWindow(of: JSONTimeWindow.commonPaths, since: "2026-11-24T14:00:00Z")
  /// ```
  ///
  /// - Parameters:
  ///   - paths: One path or several.
  ///   - since: The first time of the window.
  ///   - until: The end of the window.
  ///   - unit: The unit of numbers; `nil` to recognize it by their size.
  public init(
    of paths: [JSONPath], since: String? = nil, until: String? = nil, unit: JSONTimeUnit? = nil
  ) throws(JSONError) {
    try self.init(of: paths, since: Self.bound(since, unit), until: Self.bound(until, unit), unit)
  }

  /// - Parameter clock: Shows the times without an offset; `nil` for UTC.
  package init(
    of paths: [JSONPath], since: Instant?, until: Instant?, _ unit: JSONTimeUnit?, _ clock: LocalClock? = nil
  ) throws(JSONError) {
    for path in paths { _ = try path.checkedSingular() }
    guard !paths.isEmpty else { throw JSONError(.invalidPath, at: 0, .reason("expected a path of times, found none")) }
    if let since, let until, since > until {
      throw JSONError(
        .invalidTime, at: 0,
        .reason("expected a window that does not end before it begins, found from \(since.text) to \(until.text)"))
    }
    self.paths = paths
    bounds = TimeBounds(since: since, until: until, unit: unit, clock: clock)
  }

  private static func bound(_ text: String?, _ unit: JSONTimeUnit?) throws(JSONError) -> Instant? {
    guard let text else { return nil }
    if let bound = Instant(bound: text, unit) { return bound }
    if let date = DigitsOfDate(text) { throw JSONError(.invalidTime, at: 0, .reason(date.ambiguity(unit))) }
    throw JSONError(
      .invalidTime, at: 0,
      .reason(
        "expected a time such as 2026-11-24T14:00:00Z or 1764072000.25, with at most nine decimal places, found "
          + "'\(JSONError.Excerpt.printable(text.utf8))'"))
  }

  /// The first time of the window, as RFC 3339 in UTC; `nil` if it has no start.
  public var since: String? { bounds.since?.text }
  /// The end of the window, as RFC 3339 in UTC; `nil` if it has no end.
  public var until: String? { bounds.until?.text }
  /// The unit of numbers; `nil` if it is recognized by their size.
  public var unit: JSONTimeUnit? { bounds.unit }

  /// The queries from the record.
  var queries: [PathQuery] { paths.map { PathQuery(isRelative: true, segments: $0.query.segments) } }
}

/// The bounds of a window of time, and how its times are read.
package struct TimeBounds: Sendable, Hashable {
  package let since: Instant?
  package let until: Instant?
  let unit: JSONTimeUnit?
  var clock: LocalClock?

  func contains(_ time: Instant) -> Bool {
    if let since, time < since { return false }
    if let until, time >= until { return false }
    return true
  }

  /// Returns the time of a value with this text.
  @inline(__always)
  package func time(of text: UnsafeRawBufferPointer) -> Instant? { unsafe Instant(json: text, unit, clock) }

  package func time(of value: JSON) -> Instant? { Instant(value, unit, clock) }

  var description: String { (since.map { " since \($0.text)" } ?? "") + (until.map { " until \($0.text)" } ?? "") }
}
