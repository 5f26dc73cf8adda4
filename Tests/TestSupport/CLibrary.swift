import Foundation

/// `strtod` and `printf` with the decimal point of the C locale, whatever locale the process has set.
public enum CLibrary {
  /// Returns the number that `strtod` reads.
  public static func double(_ text: String) -> Double { withCLocale { unsafe strtod(text, nil) } }

  /// Returns what `printf` writes for a number, with a format such as `%.60f`.
  public static func text(_ format: String, _ value: Double) -> String {
    withCLocale { String(format: format, value) }
  }

  private static func withCLocale<Result>(_ body: () -> Result) -> Result {
    let locale = unsafe newlocale(1 << LC_NUMERIC, "C", nil)
    let previous = unsafe uselocale(locale)
    defer {
      _ = unsafe uselocale(previous)
      unsafe freelocale(locale)
    }
    return body()
  }
}
