/// A query of RFC 9535: which values of a JSON text are asked for.
///
/// All of the RFC is here: names, wildcards, indexes, slices, descendants (`..`), filters (`[?@.price < 10]`) and the
/// functions `length`, `count`, `match`, `search` and `value`. Of several members with one name a name selects the first.
///
/// ```swift
/// let cheap: JSONPath = "$..book[?@.price < 10].title"
/// for title in try json.query(cheap) { print(title.stringValue) }
/// ```
///
/// A path is compiled once and can be used by many readers at the same time. A literal is a path too, also in
/// `JSONPath("$.a")`, which Swift takes for a literal and needs no `try`. A bad literal does not end the program: it keeps its
/// ``failure``, and whoever uses the path throws it. Text that is no literal is compiled by ``init(_:)``, which throws.
///
/// Two paths are equal if they are the same query, however it is spelt: `$.a` and `$["a"]` are.
public struct JSONPath: Sendable, Hashable {
  /// The query as a tree. Of a bad literal it is the root.
  let query: PathQuery
  /// Why a literal is no path; `nil` if it is one.
  public let failure: JSONError?
  /// What a bad literal says.
  private let badText: String

  /// Compiles the text of a path.
  ///
  /// - Throws: ``JSONError`` with code ``JSONError/Code/invalidPath``; its offset counts bytes of `text`. So is a text refused
  ///   that is longer than 64 KiB, has more than 1024 segments in a query or selectors in a segment, or more than 64
  ///   parentheses, filters and functions inside one another. ``JSONPathDiagnosis`` shows the place.
  /// - Complexity: O(length of `text`).
  public init(_ text: String) throws(JSONError) { try self.init(text, functions: PathFunction.all) }

  init(_ text: String, functions: [PathFunction]) throws(JSONError) {
    var parser = JSONPathParser(text, functions: functions)
    query = try parser.query()
    failure = nil
    badText = ""
  }

  /// Whether at most one value can match: there are only names and indexes, one in each segment (RFC 9535, 2.3.5.1).
  public var isSingular: Bool { query.isSingular }

  /// The query, if there is one.
  func checked() throws(JSONError) -> PathQuery {
    if let failure { throw failure }
    return query
  }
}

extension JSONPath: ExpressibleByStringLiteral {
  /// A path in the source of a program. If it is none, ``failure`` says why, and each use throws it.
  public init(stringLiteral text: String) {
    var parser = JSONPathParser(text)
    do throws(JSONError) {
      query = try parser.query()
      failure = nil
      badText = ""
    } catch {
      query = PathQuery(isRelative: false, segments: [])
      failure = error
      badText = text
    }
  }
}

extension JSONPath: CustomStringConvertible {
  /// The query in one spelling, as RFC 9535 writes normalized paths: names in brackets and single quotes. It is a path of
  /// the same query; of a bad literal its text.
  public var description: String { failure == nil ? query.description : badText }
}
