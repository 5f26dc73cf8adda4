/// A function of a filter, as RFC 9535, section 2.4 describes them. A function is one file of `Functions`, one line of
/// ``all`` and a row of the table in the guide Paths.
///
/// The defaults are right for any function: nothing is known of what it needs and of how much work it is. Then a filter with it
/// rules out no record by its bytes.
struct PathFunction: Sendable {
  /// What a function takes as an argument.
  struct Parameter: Sendable {
    enum Kind: Sendable {
      /// A literal, a singular query or another function; the argument may be Nothing.
      case value
      /// The values that a query selects.
      case nodes
    }

    let kind: Kind
    /// What messages call it.
    let noun: String

    static let value = value("a value")
    static let nodes = Parameter(kind: .nodes, noun: "a query")
    static func value(_ noun: String) -> Parameter { Parameter(kind: .value, noun: noun) }
  }

  /// Computes the result of a call for the value that is `@`. The type of the result decides where a call may stand.
  ///
  /// Work that grows with an argument is paid for with ``PathContext/spend(_:)``.
  enum Evaluation: Sendable {
    /// True or false: a call is a test, and no side of a comparison.
    case logical(@Sendable (PathCall, _ current: JSON, PathContext) throws(QueryLimitExceeded) -> Bool)
    /// A number; `nil` is Nothing.
    case number(@Sendable (PathCall, _ current: JSON, PathContext) throws(QueryLimitExceeded) -> Int?)
    /// Any value; `nil` is Nothing.
    case value(@Sendable (PathCall, _ current: JSON, PathContext) throws(QueryLimitExceeded) -> JSON?)
  }

  let name: String
  let parameters: [Parameter]
  let evaluation: Evaluation
  /// Names in other languages, for which messages suggest this one. In lower case.
  var otherNames: [String] = []
  /// The result is Nothing or false where an argument is Nothing or a query selects nothing.
  var needsArguments = false
  /// The result is a value whatever the arguments are.
  var isNeverNothing = false
  /// What the text of a record must have for the result to be true, beside what the arguments need.
  var literal: @Sendable (PathCall) -> RequiredLiteral? = { _ in nil }
  /// Returns the work of a call for each byte of the text, without the work of its arguments, in the unit of
  /// ``ConditionWork``; `nil` if the work can grow faster than the text.
  var work: @Sendable (PathCall) -> Int? = { _ in nil }

  /// In the order of messages.
  static let all: [PathFunction] = [.length, .count, .match, .search, .value]

  /// Whether the result is true or false, not a value.
  var isLogical: Bool { if case .logical = evaluation { true } else { false } }
}
