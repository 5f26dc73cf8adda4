/// What a reader has to parse of each record, where it is known what is asked of them and the rest is passed over.
///
/// A class: the reader is handed from one function to another, and this is much.
final class RecordPruning {
  private var pruner: RecordPruner
  /// Where only records are wanted for which it holds: those are parsed as a whole then.
  private let filter: RecordFilter?
  /// Only records that are proven to be JSON are gone over.
  let needsProof: Bool
  /// How many lines that nobody knows to be JSON were not parsed as a whole, since the condition does not hold.
  private(set) var ruledOut = 0

  private init(_ pruner: consuming RecordPruner, _ filter: RecordFilter?, _ options: JSONOptions) {
    self.pruner = pruner
    self.filter = filter
    needsProof = !options.fastForward
  }

  /// Of each record what some paths and a condition ask for is parsed. `nil` if the options do not say that something is
  /// passed over, or if all of a record may be asked for.
  static func of(
    _ queries: [PathQuery], where condition: JSONCondition?, _ options: JSONOptions
  ) -> RecordPruning? {
    guard let pruner = RecordPruner.of(queries + (condition?.filter.queries ?? []), options: options)
    else { return nil }
    return RecordPruning(pruner, nil, options)
  }

  /// Records for which the condition does not hold are passed over, and the others parsed as a whole. `nil` as above.
  static func rulingOut(by condition: JSONCondition?, _ options: JSONOptions) -> RecordPruning? {
    guard let condition,
      let pruner = RecordPruner.of(condition.filter.queries, options: options)
    else { return nil }
    return RecordPruning(pruner, RecordFilter(condition, options), options)
  }

  /// Records may be ruled out that nobody knows to be JSON.
  var rulesOutUnproven: Bool { filter != nil && !needsProof }

  /// The document of a record, of which only a part has been parsed. `nil` if it is to be parsed as a whole.
  ///
  /// Where there is a condition, only records have one for which it does not hold: whoever asks it of them finds that too.
  func document(
    of bytes: UnsafeRawBufferPointer, from start: Int, isValidText: Bool, at offset: Int
  ) -> Document? {
    guard let document = unsafe prune(bytes, from: start, isValidText: isValidText, at: offset) else { return nil }
    guard let filter else { return document }
    do throws(JSONError) {
      if try filter.holds(for: JSONRecord(value: JSON(document, Document.root), line: 0)) { return nil }
    } catch {
      // Who asks the whole record is told.
      return nil
    }
    if !needsProof { ruledOut += 1 }
    return document
  }

  private func prune(
    _ bytes: UnsafeRawBufferPointer, from start: Int, isValidText: Bool, at offset: Int
  ) -> Document? {
    if !isValidText {
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
      guard unsafe ByteScan.textPrefix(text) == text.count else { return nil }
    }
    return unsafe pruner.document(of: bytes, from: start, at: offset)
  }
}

extension JSONRecordReader {
  /// Says that nothing but some paths will be asked of records. With ``JSONOptions/fastForward-swift.property`` there is no
  /// more of them then. Elements and members of a document stay whole.
  ///
  /// - Throws: ``JSONError/Code/invalidPath`` if a path is a bad literal.
  package mutating func keep(only paths: [JSONPath]) throws(JSONError) {
    var queries: [PathQuery] = []
    for path in paths { queries.append(try path.checked()) }
    prune(RecordPruning.of(queries, where: nil, options.reading))
  }

  /// Parses only a part of each record, if there is what says which, and if records are proven where they must be.
  mutating func prune(_ pruning: RecordPruning?) {
    guard let pruning, !pruning.needsProof || proveRecords() else { return }
    self.pruning = pruning
  }
}

extension JSONCondition {
  /// With ``JSONOptions/fastForward-swift.property`` no more of a record is parsed for it than what it asks for.
  package var fastForwards: Bool { RecordPruner.of(filter.queries, options: .fastForward) != nil }
}

extension PathFilter {
  /// The queries that are asked of the value itself, those of `$` too. What stands in filters of theirs belongs to them.
  fileprivate var queries: [PathQuery] {
    switch self {
    case .or(let parts), .and(let parts): parts.flatMap { $0.queries }
    case .not(let part): part.queries
    case .comparison(let left, _, let right): left.queries + right.queries
    case .exists(let query): [query]
    case .function(let function): function.queries
    }
  }
}

extension PathComparable {
  fileprivate var queries: [PathQuery] {
    switch self {
    case .literal: []
    case .query(let query): [query]
    case .function(let function): function.queries
    }
  }
}

extension PathFunction {
  fileprivate var queries: [PathQuery] {
    switch self {
    case .length(let argument): argument.queries
    case .count(let query), .value(let query): [query]
    case .match(let text, let pattern), .search(let text, let pattern): text.queries + pattern.queries
    }
  }
}
