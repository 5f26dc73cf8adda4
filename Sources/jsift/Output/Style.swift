#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Colours of messages: used on terminals unless `NO_COLOR` or `TERM=dumb` disables them; `CLICOLOR_FORCE` enables them
/// everywhere.
enum Style {
  /// Whether text on standard output and on standard error is coloured. Computed once: there may be a million messages.
  static let isOnOutput = isOn(1)
  static let isOnErrors = isOn(2)

  private static func isOn(_ descriptor: Int32) -> Bool {
    if let value = value("NO_COLOR"), !value.isEmpty { return false }
    if let value = value("CLICOLOR_FORCE"), !value.isEmpty, value != "0" { return true }
    return isatty(descriptor) == 1 && value("TERM") != "dumb"
  }

  private static func value(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  private static let bold = "\u{1B}[1m"
  private static let red = "\u{1B}[1;31m"
  private static let green = "\u{1B}[1;32m"
  private static let plain = "\u{1B}[0m"

  /// Returns a message with its prefix or location highlighted, and its caret in green.
  static func painted(_ message: String) -> String {
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for (number, line) in lines.enumerated() {
      if number == 0, line.hasPrefix(ErrorReport.program) {
        lines[0] = red + "jsift:" + plain + line.dropFirst(6)
      } else if number == 0, let end = line.firstRange(of: ": ") {
        lines[0] = bold + line[..<end.lowerBound] + plain + line[end.lowerBound...]
      } else if let caret = line.firstIndex(of: "^"), line[..<caret].allSatisfy({ $0 == " " || $0 == "|" }) {
        lines[number] = line[..<caret] + green + "^" + plain + line[line.index(after: caret)...]
      }
    }
    return lines.joined(separator: "\n")
  }
}
