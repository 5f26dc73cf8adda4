import JSONSift

/// The outcome of reading an input.
package enum Outcome: Equatable, Sendable, CustomStringConvertible {
  case accepted
  /// Rejected with the error of this name at this byte offset.
  case rejected(String, at: Int)
  /// A description of behaviour that no reader should show.
  case strange(String)

  package init(_ error: JSONError?) {
    self = error.map { .rejected($0.code.description, at: $0.byteOffset) } ?? .accepted
  }

  /// Parses `accept` or `CODE@BYTE`.
  package init?(_ text: some StringProtocol) {
    if text == "accept" {
      self = .accepted
      return
    }
    let parts = text.split(separator: "@")
    guard parts.count == 2, let byte = Int(parts[1]) else { return nil }
    self = .rejected(String(parts[0]), at: byte)
  }

  /// The outcome of `body`: accepted if it returns, rejected if it throws.
  package init(of body: () throws(JSONError) -> Void) {
    do throws(JSONError) {
      try body()
      self = .accepted
    } catch {
      self.init(error)
    }
  }

  package var isAccepted: Bool { self == .accepted }

  package var description: String {
    switch self {
    case .accepted: "accept"
    case .rejected(let code, let byte): "\(code)@\(byte)"
    case .strange(let words): words
    }
  }
}

/// Returns the first lines of a list of failures, for a readable message.
package func summary(of failures: [String], showing limit: Int = 20) -> String {
  let rest = failures.count - limit
  return "\(failures.count) failures:\n" + failures.prefix(limit).joined(separator: "\n")
    + (rest > 0 ? "\n... and \(rest) more" : "")
}
