extension JSONEdit.Rule {
  /// Rules for a text that is given away: names of credentials, tokens of known forms, e-mail and network addresses, and card
  /// numbers with a valid check digit. Each rule names in a receipt what it masks. A rule that masks nothing is not reported.
  ///
  /// The list is a net, not a proof: secrets of other forms pass. The receipt says what was found.
  public static func share(with mask: JSONEdit.Mask = .fixed("***")) -> [JSONEdit.Rule] {
    var rules = [
      JSONEdit.Rule(
        target: .names(shareNames, areEnds: true), change: .mask(mask), label: "share: names of credentials")
    ]
    for (label, patterns) in sharePatterns {
      rules.append(JSONEdit.Rule(target: .patterns(patterns), change: .mask(mask), label: "share: \(label)"))
    }
    rules.append(JSONEdit.Rule(target: .cards, change: .mask(mask), label: "share: card numbers"))
    for index in rules.indices { rules[index].isExpected = false }
    return rules
  }

  /// The names of ``share(with:)``, and the ends of names, without regard to case, `-` and `_`.
  package static let shareNames = [
    "password", "passwd", "pwd", "passphrase", "passcode", "pin", "secret", "client-secret", "secret-key",
    "shared-secret",
    "token", "access-token", "refresh-token", "id-token", "auth-token", "session-token", "csrf-token", "xsrf-token",
    "bearer-token", "api-token", "api-key", "apikey", "x-api-key", "access-key", "access-key-id", "secret-access-key",
    "private-key", "encryption-key", "signing-key", "authorization", "proxy-authorization", "auth", "credential",
    "credentials", "cookie", "set-cookie", "session", "session-id", "sessionid", "sid", "jwt", "otp", "mfa-code", "cvv",
    "cvc", "card-number", "iban", "ssn", "social-security-number", "connection-string", "database-url", "dsn",
    "webhook-url",
  ]

  /// The patterns of ``share(with:)``, with a name for each group.
  package static let sharePatterns: [(label: String, patterns: [String])] = [
    (
      "tokens of known forms",
      [
        "(AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}[A-Za-z0-9_\\-]*", "gh[pousr]_[A-Za-z0-9]{36}[A-Za-z0-9_\\-]*",
        "github_pat_[A-Za-z0-9_]{22}[A-Za-z0-9_\\-]*", "glpat-[A-Za-z0-9_\\-]{20}[A-Za-z0-9_.\\-]*",
        "xox[abeoprs]-[A-Za-z0-9\\-]{10}[A-Za-z0-9_\\-]*", "sk-[A-Za-z0-9_\\-]{20}[A-Za-z0-9_\\-]*",
        "(sk|rk|pk)_(live|test)_[A-Za-z0-9]{16}[A-Za-z0-9_\\-]*", "AIza[A-Za-z0-9_\\-]{35}[A-Za-z0-9_\\-]*",
        "ya29\\.[A-Za-z0-9_\\-]{20}[A-Za-z0-9_.\\-]*", "npm_[A-Za-z0-9]{36}[A-Za-z0-9_\\-]*",
        "pypi-[A-Za-z0-9_\\-]{50}[A-Za-z0-9_\\-]*", "hf_[A-Za-z0-9]{30}[A-Za-z0-9_\\-]*",
        "SG\\.[A-Za-z0-9_\\-]{16,}\\.[A-Za-z0-9_\\-]{16}[A-Za-z0-9_\\-]*",
        "eyJ[A-Za-z0-9_\\-]{8,}\\.eyJ[A-Za-z0-9_\\-]{8,}\\.[A-Za-z0-9_\\-]*",
        "[Bb]earer [A-Za-z0-9+/=._~\\-]{8,}", "[Bb]asic [A-Za-z0-9+/=._~\\-]{8,}",
        "-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----([^\\-]|-{1,4}[^\\-])*(-----END [A-Z0-9 ]*-----)?",
        "://[^/?# \\n]+@",
      ]
    ),
    ("e-mail addresses", ["[A-Za-z0-9._%+\\-]+@[A-Za-z0-9\\-]+(\\.[A-Za-z0-9\\-]+)+"]),
    (
      "network addresses",
      [
        "((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])",
        "([0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}", "([0-9A-Fa-f]{1,4}:){1,6}(:[0-9A-Fa-f]{1,4}){1,6}",
        "([0-9A-Fa-f]{1,4}:){2,7}:", "::([0-9A-Fa-f]{1,4}:)*[0-9][0-9A-Fa-f]{0,3}",
        "[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}",
      ]
    ),
  ]

  /// The networks of the card numbers of ``share(with:)``, with the first four digits and the numbers of digits.
  package static var shareCards: [(name: String, first: ClosedRange<Int>, counts: [Int])] { CardNumbers.networks }
}
