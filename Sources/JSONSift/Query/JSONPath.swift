/// A query of RFC 9535: it selects values of a JSON text.
///
/// The RFC is implemented completely: names, wildcards, indexes, slices, descendants (`..`), filters (`[?@.price < 10]`) and
/// the functions `length`, `count`, `match`, `search` and `value`. Of members with duplicate keys, a name selects the first.
///
/// ```swift
/// let cheap: JSONPath = "$..book[?@.price < 10].title"
/// for title in try json.query(cheap) { print(title.stringValue) }
/// ```
///
/// A path is compiled once and can be used by many readers at the same time. A literal is a path too; so is
/// `JSONPath("$.a")`, which Swift treats as a literal and which needs no `try`. An invalid literal does not end the program:
/// the path keeps its ``error``, and each use of the path throws it. ``init(_:)`` compiles any other text, and throws if
/// it is invalid.
///
/// Two paths are equal if they are the same query in any spelling, such as `$.a` and `$["a"]`.
public struct JSONPath: Sendable, Hashable {
  /// The tree of the query; for an invalid literal, the query `$`.
  let query: PathQuery
  private let rejected: RejectedLiteral?

  /// The reason why the literal is not a path; `nil` for a valid path.
  public var error: JSONError? { rejected?.error }

  /// Compiles the text of a path.
  ///
  /// - Throws: ``JSONError`` with code ``JSONError/Code/invalidPath``; its offset counts bytes of `text`. A text is also
  ///   rejected if it is longer than 64 KiB, has more than 1024 segments in a query or selectors in a segment, or nests more
  ///   than 64 parentheses, filters and functions. ``JSONPath/Diagnosis`` shows the position of the error.
  /// - Complexity: O(length of `text`).
  public init(_ text: String) throws(JSONError) { try self.init(text, functions: PathFunction.all) }

  init(_ text: String, functions: [PathFunction]) throws(JSONError) {
    var parser = JSONPathParser(text, functions: functions)
    query = try parser.query()
    rejected = nil
  }

  /// Whether the path can match at most one value: each segment consists of one name or one index (RFC 9535, 2.3.5.1).
  public var isSingular: Bool { query.isSingular }

  /// The names of the members through which a singular path leads, from the root on.
  package var memberNames: [String] {
    query.segments.compactMap { segment in
      guard segment.isSingular, case .name(let name) = segment.selectors[0] else { return nil }
      return name.string
    }
  }

  /// The name with which the path begins, if it begins with one.
  package var firstName: String? {
    guard let first = query.segments.first, first.isSingular, case .name(let name) = first.selectors[0] else {
      return nil
    }
    return name.string
  }

  /// Returns the lowest index of an element of `array` in which the path can select values: for `$.items` and the path
  /// `$.items[5:8].id` that is 5. Returns `nil` if the path can select values elsewhere, or in any element.
  package func firstElement(of array: JSONPath) -> Int? {
    let (all, outer) = (query.segments, array.query.segments)
    guard error == nil, all.count > outer.count, all.starts(with: outer), !all[outer.count].isDescendant else {
      return nil
    }
    // The matches of several selectors follow the order of the selectors, so elements or the whole array may be held.
    let selectors = all[outer.count].selectors
    return selectors.count == 1 ? selectors[0].firstElement : nil
  }

  /// Returns the query, or throws the error of an invalid literal.
  func checked() throws(JSONError) -> PathQuery {
    if let error { throw error }
    return query
  }

  /// Returns the query, or throws an error if it can select several values.
  func checkedSingular() throws(JSONError) -> PathQuery {
    let query = try checked()
    guard query.isSingular else {
      throw JSONError(.invalidPath, at: 0, .unanswerablePath(.severalValues(path: description)))
    }
    return query
  }
}

extension [JSONPath] {
  /// Returns the queries.
  ///
  /// - Throws: The error of the first invalid literal.
  func checked() throws(JSONError) -> [PathQuery] { try map { (path) throws(JSONError) in try path.checked() } }
}

extension JSONPath: ExpressibleByStringLiteral {
  /// Creates a path from a literal. If the literal is invalid, ``error`` contains the reason, and each use throws it.
  public init(stringLiteral text: String) {
    var parser = JSONPathParser(text)
    do throws(JSONError) {
      query = try parser.query()
      rejected = nil
    } catch {
      query = PathQuery(isRelative: false, segments: [])
      rejected = RejectedLiteral(text: text, error: error)
    }
  }
}

extension JSONPath: CustomStringConvertible {
  /// The canonical spelling of the query, in the notation of normalized paths (RFC 9535): names in brackets and single
  /// quotes. Parsing it returns an equal path. For an invalid literal, its text.
  public var description: String { rejected?.text ?? query.description }
}
