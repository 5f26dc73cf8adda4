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
  public init(_ text: String) throws(JSONError) {
    var parser = JSONPathParser(text)
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

// MARK: Paths for streams

extension JSONPath {
  /// One step down in a path of children.
  enum Segment: Sendable, Hashable {
    case name(String)
    case index(Int)
    case wildcard

    /// Names are equal if their bytes are: Swift's strings take two spellings of one character for the same.
    static func == (left: Segment, right: Segment) -> Bool {
      switch (left, right) {
      case (.name(let left), .name(let right)): left.utf8.elementsEqual(right.utf8)
      case (.index(let left), .index(let right)): left == right
      case (.wildcard, .wildcard): true
      default: false
      }
    }

    func hash(into hasher: inout Hasher) {
      switch self {
      case .name(let name): for byte in name.utf8 { hasher.combine(byte) }
      case .index(let index): hasher.combine(index)
      case .wildcard: hasher.combine(-1)
      }
    }
  }

  /// The steps of a path that has only children, in each segment one name, one index from 0, or the wildcard; else `nil`.
  var linearSegments: [Segment]? {
    var result: [Segment] = []
    for segment in query.segments {
      guard !segment.isDescendant, segment.selectors.count == 1 else { return nil }
      switch segment.selectors[0] {
      case .name(let name): result.append(.name(name.string))
      case .index(let index) where index >= 0: result.append(.index(index))
      case .wildcard: result.append(.wildcard)
      case .index, .slice, .filter: return nil
      }
    }
    return result
  }

  /// ``linearSegments``, or why a stream cannot be asked this.
  func streamedSegments() throws(JSONError) -> [Segment] {
    if let failure { throw failure }
    if let segments = linearSegments { return segments }
    throw JSONError(
      .invalidPath, at: 0, expected: "expected a path of names, indexes from 0 and '*': others cannot be streamed yet",
      number: 0)
  }
}
