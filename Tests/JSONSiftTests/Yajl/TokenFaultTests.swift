import Testing

@testable import JSONSift

@Suite struct TokenFaultTests {
  static let tokens: [(String, String)] = [
    (#""abc""#, "none 5"), (#""a\"b" "#, "none 6"), (#""\u00e9""#, "none 8"), (#""abc"#, "open"), (#""abc\"#, "open"),
    (#""\u12"#, "open"), (#""\q""#, "invalidEscape 2"), (#""\U0041""#, "invalidEscape 2"),
    (#""\u12g4""#, "invalidEscape 5"), (#""\u""#, "invalidEscape 3"), ("\"a\u{1F}\"", "controlCharacter 2"),
    ("\"a\nb\"", "controlCharacter 2"), ("\"\\\n\"", "invalidEscape 2"), ("\"a\u{7F}\"", "none 4"), ("true", "none 4"),
    ("true,", "none 4"), ("tru", "open"), ("t", "open"), ("tRue", "invalidLiteral 1"), ("tru,", "invalidLiteral 3"),
    ("falsE", "invalidLiteral 4"), ("nill", "invalidLiteral 1"), ("null", "none 4"), ("truex", "none 4"),
    ("0", "none 1"), ("-0", "none 2"), ("01", "none 1"), ("12", "none 2"), ("12.5e-3,", "none 7"), ("-", "open"),
    ("1.", "open"), ("1e", "open"), ("1e+", "open"), ("-a", "invalidNumber 1"), ("1.a", "invalidNumber 2"),
    ("1.e5", "invalidNumber 2"), ("1ex", "invalidNumber 2"), ("1e+x", "invalidNumber 3"), ("1E-]", "invalidNumber 3"),
    ("--1", "invalidNumber 1"), ("[", "none 1"), ("}", "none 1"),
  ]

  @Test(arguments: tokens)
  func `the fault of a token and its byte are found`(text: String, expected: String) {
    for before in ["", "[1,  "] {
      let fault = unsafe Array((before + text).utf8).withUnsafeBytes {
        unsafe TokenFault(in: $0, at: before.utf8.count)
      }
      let found =
        switch fault {
        case .none(let end): "none \(end - before.utf8.count)"
        case .open: "open"
        case .wrong(let code, let index, _): "\(code) \(index - before.utf8.count)"
        }
      #expect(found == expected)
    }
  }
}
