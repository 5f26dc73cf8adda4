/// A function of a filter (RFC 9535, section 2.4). To add one, write a file in `Functions`, a line in ``all`` and a row of
/// the table in the guide Paths.
///
/// The defaults are correct for any function: they assume nothing about its required literals or its work. A filter
/// that calls such a function excludes no record by its bytes.
struct PathFunction: Sendable {
  /// A parameter of a function.
  struct Parameter: Sendable {
    enum Kind: Sendable {
      /// A literal, a singular query or another function; the argument may be Nothing, the absent value of RFC 9535.
      case value
      /// The values that a query selects.
      case nodes
    }

    let kind: Kind
    /// The description in messages.
    let noun: String
    /// Whether the value is a pattern of RFC 9485.
    var isPattern = false

    static let value = value("a value")
    static let nodes = Parameter(kind: .nodes, noun: "a query")
    static let pattern = Parameter(kind: .value, noun: "a pattern", isPattern: true)
    static func value(_ noun: String) -> Parameter { Parameter(kind: .value, noun: noun) }
  }

  /// Computes the result of a call for the value of `@`. The type of the result determines where a call may occur.
  ///
  /// Counts work that grows with an argument by ``PathContext/spend(_:)``.
  enum Evaluation: Sendable {
    /// A truth value: the call is a test, not a side of a comparison.
    case logical(@Sendable (PathCall, _ current: JSON, PathContext) throws(QueryLimitExceeded) -> Bool)
    /// A number; `nil` is Nothing.
    case number(@Sendable (PathCall, _ current: JSON, PathContext) throws(QueryLimitExceeded) -> Int?)
    /// Any value; `nil` is Nothing.
    case value(@Sendable (PathCall, _ current: JSON, PathContext) throws(QueryLimitExceeded) -> JSON?)
  }

  let name: String
  let parameters: [Parameter]
  let evaluation: Evaluation
  /// Names of the function in other languages, in lower case. Messages suggest this function for them.
  var otherNames: [String] = []
  /// Whether the result is Nothing or false if an argument is Nothing or a query selects nothing.
  var needsArguments = false
  /// Whether the result is a value for all arguments.
  var isNeverNothing = false
  /// Returns the literal that the text of a record must contain for the result to be true, in addition to the literals that
  /// the arguments require.
  var literal: @Sendable (PathCall) -> RequiredLiteral? = { _ in nil }
  /// Returns the work of a call per byte of the text, without the work of its arguments, in the unit of ``ConditionWork``: 0
  /// for constant work, 1 for one pass over the text. `nil`, the default, is always right: the work is unknown, or can grow
  /// faster than the text. Too much costs speed; too little lets a condition rule out a record that exceeds a limit.
  var work: @Sendable (PathCall) -> Int? = { _ in nil }

  /// The functions, in the order in which messages list them.
  static let all: [PathFunction] = [.length, .count, .match, .search, .value]

  /// Whether the result is true or false, not a value.
  var isLogical: Bool { if case .logical = evaluation { true } else { false } }
}
