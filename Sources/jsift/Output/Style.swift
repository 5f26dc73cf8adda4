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

  /// Whether the locale says that a terminal shows characters beyond ASCII.
  static var hasUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(value).first { !$0.isEmpty } ?? ""
    return ["utf-8", "utf8"].contains { locale.lowercased().hasSuffix($0) }
  }

  private static func value(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

  static let bold = "\u{1B}[1m"
  static let red = "\u{1B}[1;31m"
  static let green = "\u{1B}[1;32m"
  static let plain = "\u{1B}[0m"
}
