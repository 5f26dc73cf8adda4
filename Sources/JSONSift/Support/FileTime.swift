/// A modification time: seconds since 1970 in UTC, with up to nine decimal places.
package struct FileTime: Sendable, Hashable {
  package let seconds: Int
  package let nanoseconds: Int
  /// The number of decimal places that are known.
  private let places: Int

  package init(seconds: Int, nanoseconds: Int = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
    places = 9
  }

  /// Creates a time from decimal digits, with at most nine of them after a point. Returns `nil` for any other text.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, let seconds = Int(digits: whole) else { return nil }
    var nanoseconds = 0
    if parts.count > 1 {
      guard parts[1].utf8.count <= 9, let fraction = Int(digits: parts[1]) else { return nil }
      nanoseconds = (parts[1].utf8.count..<9).reduce(fraction) { value, _ in value * 10 }
    }
    self.seconds = seconds
    self.nanoseconds = nanoseconds
    places = parts.count > 1 ? parts[1].utf8.count : 0
  }

  /// Returns whether a file's time begins with the known decimal places: other systems keep fewer of them.
  package func matches(_ found: FileTime) -> Bool { text() == found.text(places: places) }

  /// Returns the time with a number of decimal places, by default those that are known; the others are cut off.
  func text(places: Int? = nil) -> String {
    let places = places ?? self.places
    guard places > 0 else { return "\(seconds)" }
    let digits = String(nanoseconds)
    return "\(seconds)." + (String(repeating: "0", count: max(9 - digits.utf8.count, 0)) + digits).prefix(places)
  }
}
