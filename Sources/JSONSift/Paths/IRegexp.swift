/// A stand-in until the engine is there: a pattern is a literal text.
struct IRegexp: Sendable {
  private let pattern: String

  init?(ifValid pattern: String, readsAnchors: Bool = false) { self.pattern = pattern }

  func matches(whole text: String) -> Bool { text == pattern }

  func matches(partOf text: String) -> Bool { text == pattern }
}
