/// The unit of a number that is a time: how many of them have passed since 1970-01-01T00:00:00Z.
///
/// If no unit is given, it is recognized by the size of the number: below 10^11 it counts seconds, below 10^14 milliseconds,
/// below 10^17 microseconds, and above that nanoseconds. So the times from March 1973 to the year 5138 are recognized in
/// each unit.
public enum JSONTimeUnit: String, Sendable, Hashable, CaseIterable {
  /// Seconds, as `date +%s` prints them.
  case seconds = "s"
  /// Milliseconds, as `Date.now()` of JavaScript returns them.
  case milliseconds = "ms"
  /// Microseconds, 10^-6 seconds.
  case microseconds = "us"
  /// Nanoseconds, 10^-9 seconds.
  case nanoseconds = "ns"

  /// The power of ten of attoseconds in one unit.
  var attosecondDigits: Int {
    switch self {
    case .seconds: 18
    case .milliseconds: 15
    case .microseconds: 12
    case .nanoseconds: 9
    }
  }

  /// The number of decimal places of a second in one unit.
  package var decimalPlaces: Int { 18 - attosecondDigits }

  /// Returns the unit of a number without a given unit.
  ///
  /// - Parameter count: The number of digits before the decimal point, without leading zeros.
  static func recognized(integerDigits count: Int) -> JSONTimeUnit {
    count <= 11 ? .seconds : count <= 14 ? .milliseconds : count <= 17 ? .microseconds : .nanoseconds
  }

  /// Returns the unit of an integer without a given unit.
  static func recognized(_ magnitude: UInt64) -> JSONTimeUnit {
    magnitude < 100_000_000_000
      ? .seconds
      : magnitude < 100_000_000_000_000
        ? .milliseconds : magnitude < 100_000_000_000_000_000 ? .microseconds : .nanoseconds
  }
}
