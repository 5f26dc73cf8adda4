/// Changes values of JSON texts while they are read, and copies everything else byte for byte.
///
/// ```swift
/// let edit = try JSONEdit([.mask("$..authorization"), .delete("$.debug"), .set("$.region", to: "eu")])
/// let json = try JSON(parsing: #"{"debug": 1, "authorization": "Basic 8f3a"}"#)
/// let clean = try edit.edited(json)  // {"authorization": "***","region": "eu"}
/// ```
///
/// ``rewrite(_:records:where:to:)`` reads a source of any size, and passes the text to a sink.
///
/// All paths refer to the input. Every member with a duplicate key is edited, by every rule, and so is a key in any spelling,
/// such as `"\u0061"`. A filter or condition reads the first of duplicate keys, as elsewhere. If several rules apply to one value, deleting precedes masking, and masking precedes setting; of several
/// rules of one kind the first applies. Below a value that is deleted, masked or set, no other rule applies.
///
/// White space, escapes, the texts of numbers, the order of members and line ends stay as they are. An element or member that
/// is deleted takes the white space and the comma before it along. The first one leaves the white space before it to the next
/// one. A container whose children are all deleted becomes `{}` or `[]`.
public struct JSONEdit: Sendable {
  package let plan: EditPlan
  let options: Options

  /// Settings of an edit.
  public struct Options: Sendable, Hashable {
    /// Whether the rules also apply to JSON texts in strings, at any depth up to eight texts. Each is a text of its own, and
    /// `$` in a path is its outermost value. A text with an error of syntax is a plain string. A string with a text that exceeds
    /// a limit, is in more than eight texts or holds half of a surrogate pair becomes `***`, which the receipt counts.
    public var editsInside = false
    /// Whether a bad record is copied as it is. Otherwise it is left out, and its error is thrown or counted.
    public var keepsBadRecords = false
    /// Whether text before a record (``JSONRecordOptions/skipsPrefix``) is copied. Values and patterns are masked in it.
    /// Otherwise it is left out.
    public var keepsPrefix = false

    /// Whether a receipt has the paths of strings that were copied without a change. It takes some time.
    public var notesStrings = false

    /// Creates the default settings: nothing of this.
    public init() {}
  }

  /// Compiles rules.
  ///
  /// - Parameters:
  ///   - rules: The rules, in their order.
  ///   - options: Settings.
  /// - Throws: ``JSONError/Code/invalidPath`` if a path or pattern is invalid, deletes or renames the outermost value, or has a
  ///   filter that refers to the root; or if there are more than 64 rules that set values.
  public init(_ rules: [Rule], options: Options = Options()) throws(JSONError) {
    plan = try EditPlan(rules, editsInside: options.editsInside)
    self.options = options
  }

  /// Edits all records, or the document, of a source.
  ///
  /// A document is not held in memory, except for paths with filters, and with indexes and slices that count from the end: then
  /// at most ``JSONLimits/recordBytes`` of it. In a stream, memory is bounded by the longest record.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - records: How it is cut and read. The default guesses whether it is one document or many records. The first bad record
  ///     ends the edit, unless the recovery policy of the options is another one: then it is left out.
  ///   - condition: If present, only records that satisfy it are changed. The others are copied.
  ///   - sink: Receives the output in chunks. An error that it throws ends the edit.
  /// - Returns: How often each rule was applied.
  /// - Throws: The error of `sink`; otherwise ``JSONError``: ``JSONError/Code/invalidPath`` if `records` has steps
  ///   (``JSONRecordOptions/steps``), whose text is not that of the source. The sink may have received chunks by then.
  @discardableResult
  public func rewrite<SinkError: Error>(
    _ source: JSONSource, records: JSONRecordOptions = JSONRecordOptions(framing: .automatic),
    where condition: JSONCondition? = nil, to sink: (RawSpan) throws(SinkError) -> Void
  ) throws -> Receipt {
    var reader = try EditReader(self, source, where: condition, records: records)
    var policy = RecordPolicy(records)
    var text: [UInt8] = []
    var hasMore = true
    while hasMore {
      text.removeAll(keepingCapacity: true)
      var failure: JSONError?
      do throws(JSONError) {
        hasMore = try reader.next()
      } catch {
        failure = error
      }
      unsafe reader.takeOutput { unsafe text.append(contentsOf: $0) }
      // SAFETY: the sink may not keep the span, and the array does not change during the call.
      if !text.isEmpty { try unsafe sink(text.span.bytes) }
      if let error = failure {
        guard records.recovery != .stop, reader.stopReason == nil, !error.code.endsInput else { throw error }
        if let tooMany = policy.count(error) { throw tooMany }
      }
    }
    return Receipt(self, reader.counts)
  }

  /// Returns the value of an edited text.
  ///
  /// - Parameters:
  ///   - json: The value. A value that was parsed is edited in its spelling.
  ///   - options: Limits.
  /// - Throws: ``JSONError`` if the value cannot be written, or a filter takes too many steps.
  /// - Complexity: O(size of the value).
  public func edited(_ json: JSON, options: JSONOptions = JSONOptions()) throws(JSONError) -> JSON {
    var machine = EditMachine(plan, self.options, options)
    var bytes: [UInt8] = []
    if json.isFromText { unsafe json.borrowRawBytes { unsafe bytes = Array($0) } }
    try machine.edit(JSON(parsing: bytes.isEmpty ? json.bytes() : bytes, options: options))
    return try JSON(parsing: machine.takeOutput(), options: options)
  }
}

extension JSONEdit {
  /// A change of some values.
  public struct Rule: Sendable {
    enum Target: Sendable {
      case path(JSONPath)
      case names([String], areEnds: Bool)
      case values([String])
      case patterns([String])
      case cards
    }

    enum Change: Sendable {
      case delete
      case mask(Mask)
      case set([UInt8])
      case rename([UInt8])
    }

    let target: Target
    let change: Change
    /// The name of the rule in a receipt.
    package var label: String
    /// Whether a rule that is never applied is reported.
    package var isExpected = true

    /// Deletes the values that a path selects: elements, or members with their keys.
    public static func delete(_ path: JSONPath) -> Rule {
      Rule(target: .path(path), change: .delete, label: "delete \(path)")
    }

    /// Replaces the values that a path selects.
    ///
    /// If the last steps of the path are plain names, such as `$.items[*].state.seen`, and an object in which the first of them
    /// would select has no such member, the member is created, as the last one.
    public static func set(_ path: JSONPath, to value: JSON) -> Rule {
      var text: [UInt8] = []
      if value.isFromText { unsafe value.borrowRawBytes { unsafe text = Array($0) } }
      if text.isEmpty { text = (try? value.bytes()) ?? Array("null".utf8) }
      return Rule(target: .path(path), change: .set(text), label: "set \(path)")
    }

    /// Gives the members that a path selects another key. Does nothing for elements.
    public static func rename(_ path: JSONPath, to name: String) -> Rule {
      var text: [UInt8] = []
      text.append(quoting: name)
      return Rule(target: .path(path), change: .rename(text), label: "rename \(path)")
    }

    /// Masks the values that a path selects, of any type.
    public static func mask(_ path: JSONPath, with mask: Mask = .fixed("***")) -> Rule {
      Rule(target: .path(path), change: .mask(mask), label: "mask \(path)")
    }

    /// Masks the values of members with these names, at any depth. Names are compared without regard to case, `-` and `_`.
    public static func mask(names: [String], with mask: Mask = .fixed("***")) -> Rule {
      Rule(target: .names(names, areEnds: false), change: .mask(mask), label: "mask names")
    }

    /// Masks literal texts wherever they occur in strings, keys and numbers.
    public static func mask(values: [String], with mask: Mask = .fixed("***")) -> Rule {
      Rule(target: .values(values), change: .mask(mask), label: "mask values")
    }

    /// Masks the parts of strings, keys and numbers that match regular expressions of RFC 9485. Of several matches that begin
    /// at one character, the longest counts. Escapes in the text are decoded before.
    public static func mask(patterns: [String], with mask: Mask = .fixed("***")) -> Rule {
      Rule(target: .patterns(patterns), change: .mask(mask), label: "mask patterns")
    }
  }

  /// What replaces a masked value or text.
  public struct Mask: Sendable, Hashable {
    enum Content: Sendable, Hashable {
      case fixed([UInt8])
      case null
      case stars
      case hash(key: [UInt8])
    }

    let content: Content

    /// A text, which is the same for every secret.
    public static func fixed(_ text: String) -> Mask { Mask(content: .fixed(Array(text.utf8))) }

    /// The literal `null`; a part of a text becomes `***`.
    public static var null: Mask { Mask(content: .null) }

    /// A star for each character, which reveals the length; three stars for a container.
    public static var stars: Mask { Mask(content: .stars) }

    /// The first 32 hexadecimal digits of HMAC-SHA-256. Equal secrets stay equal. Without the key they cannot be guessed.
    public static func hash(key: [UInt8]) -> Mask { Mask(content: .hash(key: key)) }
  }

  /// How often each rule of an edit was applied.
  public struct Receipt: Sendable, Hashable {
    /// A rule and its counts.
    public struct Entry: Sendable, Hashable {
      /// The kind of the rule, and its path.
      public let rule: String
      /// The number of values or parts of texts that the rule has changed, and members that it has created.
      public let count: Int
      /// The number of values that the rule selects. Another rule may have changed some of them.
      public let selected: Int
    }

    /// The rules in their order.
    public let entries: [Entry]

    /// The paths at which strings were copied without a change, with `[*]` for elements and the names of the output, if
    /// ``JSONEdit/Options/notesStrings`` is set. Records that the condition does not select count, too. After the first 10,000
    /// paths, in the order of their bytes, further ones are `…`.
    public let strings: [String]

    /// The number of records that were copied because the condition does not select them.
    public let unselectedRecords: Int
    /// The number of bad records that were copied (``JSONEdit/Options/keepsBadRecords``).
    public let keptBadRecords: Int
    /// The number of texts before records that were copied (``JSONEdit/Options/keepsPrefix``).
    public let keptPrefixes: Int

    /// Whether each rule is one that should select something.
    private let isExpected: [Bool]

    /// The rules that have selected nothing, without those of ``Rule/share(with:)``.
    public var unmatched: [String] { zip(entries, isExpected).filter { $0.selected == 0 && $1 }.map(\.0.rule) }

    package init(_ edit: JSONEdit, _ counts: EditCounts) {
      isExpected = edit.plan.isExpected
      strings = counts.strings.list
      (unselectedRecords, keptBadRecords, keptPrefixes) = (counts.unselected, counts.keptBad, counts.keptPrefixes)
      entries = edit.plan.labels.enumerated().map {
        Entry(rule: $0.element, count: counts.applied[$0.offset], selected: counts.selected[$0.offset])
      }
    }
  }
}

/// The counts of an edit, by rule.
package struct EditCounts: Sendable, Hashable {
  package var applied: [Int]
  package var selected: [Int]
  /// The paths of strings that were copied; see ``SharedPaths``.
  package var strings = PathList()
  /// The numbers of records and texts that were copied without rules.
  package var unselected = 0
  package var keptBad = 0
  package var keptPrefixes = 0

  package init(rules: Int) {
    applied = Array(repeating: 0, count: rules)
    selected = applied
  }

  package mutating func add(_ other: EditCounts) {
    strings.formUnion(other.strings)
    unselected += other.unselected
    keptBad += other.keptBad
    keptPrefixes += other.keptPrefixes
    for index in applied.indices where other.applied.indices.contains(index) {
      applied[index] += other.applied[index]
      selected[index] += other.selected[index]
    }
  }

  /// Returns the counts, and sets them to 0.
  package mutating func take() -> EditCounts {
    let taken = self
    self = EditCounts(rules: applied.count)
    return taken
  }
}
