/// A step from the records of an input to the records inside them. See ``JSONRecordOptions/steps``.
///
/// ```swift
/// var options = JSONRecordOptions()
/// options.steps = [.unwrap("$.log")]     // a container runtime puts each line of a program into a string
/// ```
public struct JSONRecordStep: Sendable, Hashable {
  /// What happens to a record in which ``unwrap(_:otherwise:)`` finds no JSON.
  public enum Otherwise: Sendable, Hashable {
    /// It is no record, and is counted.
    case skip
    /// It is returned as it is.
    case keep
    /// It is a bad record.
    case reject
  }

  /// What divides and marks the lines of a program.
  public enum Runtime: Sendable, Hashable {
    /// The log of a pod in Kubernetes: `TIME STREAM P CONTENT`, or `F` for the last part.
    case cri
    /// A file of Docker's driver `json-file`: the member `log` of a part does not end in a line feed.
    case docker
  }

  package enum Kind: Sendable, Hashable {
    case unwrap(JSONPath, Otherwise)
    case each(JSONPath)
    case join(Runtime)
    case mixed(maxLines: Int)
  }

  package let kind: Kind
  /// What of the outer record stands behind each record in the text of the step, for paths that begin with `^`.
  package var outer = Outer.none
  /// Whether the records of the step's input are the members `v` of its lines, because the step before keeps outer records.
  package var readsOuter = false
  /// Counts the records of the input that hold no record for this step; `nil` if they are not counted.
  package var missing: MissingRecords?
  let open: Open

  package enum Outer: Sendable, Hashable {
    case none
    case members([String])
    case whole
  }

  typealias Open =
    @Sendable (JSONRecordStep, JSONSource, JSONRecordOptions, JSONCheckpoint?) throws(JSONError) -> any ByteReader

  init(_ kind: Kind, _ open: @escaping Open) {
    self.kind = kind
    self.open = open
  }

  /// Returns whether both steps do the same.
  public static func == (left: JSONRecordStep, right: JSONRecordStep) -> Bool {
    left.kind == right.kind && left.outer == right.outer && left.readsOuter == right.readsOuter
  }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// The paths that are evaluated in each record of the input: those of the outer members, then the one of the records.
  func paths() throws(JSONError) -> [JSONPath] {
    let record = readsOuter ? "$.v" : "$"
    var texts: [String] = []
    switch outer {
    case .none: break
    case .whole: texts.append("$")
    case .members(let names):
      texts += names.map { record + JSONPath.step($0) }
      if readsOuter { texts.append("$['^']") }
    }
    switch kind {
    case .unwrap(let path, _): texts.append(record + path.description.dropFirst())
    case .each(let path): texts.append(record + path.description.dropFirst() + "[*]")
    case .join, .mixed: break
    }
    if case .unwrap(_, let otherwise) = kind, otherwise != .skip { texts.append(record) }
    var paths: [JSONPath] = []
    for text in texts { paths.append(try JSONPath(text)) }
    return paths
  }
}

/// A count of records in which a step has found none, of all readers.
package final class MissingRecords: Sendable {
  private let total = Lock((records: 0, long: 0))

  package init() {}

  package var count: Int { total.withLock { $0.records } }

  /// The number of values that were left because they have more lines than a record may have.
  package var longCount: Int { total.withLock { $0.long } }

  func add(_ count: Int) { total.withLock { $0.records += count } }

  func addLong() { total.withLock { $0.long += 1 } }
}

extension JSONSource {
  /// Returns the source of the text that the steps of the options make, and changes the options and the checkpoint, which are
  /// those of the input, to those of that text.
  func nested(_ options: inout JSONRecordOptions, _ checkpoint: inout JSONCheckpoint?) -> JSONSource {
    var source = self
    for step in options.steps {
      // The lines of a step that keeps outer records are one level deeper.
      if step.outer != .none { options.reading.limits.depth += 2 }
      var outer = options
      outer.steps = []
      // A bad record is passed on, and reported by the reader of the text.
      outer.recovery = .stop
      outer.maxErrors = nil
      let start = checkpoint
      source = .reading(source, name: nil) { [outer] (source) throws(JSONError) in
        try step.open(step, source, outer, start)
      }
      (options.framing, options.range, checkpoint) = (.lines, nil, nil)
      // The text before a value stands behind what a runtime writes before each line.
      if case .join = step.kind { continue }
      options.skipsPrefix = false
    }
    options.steps = []
    return source
  }
}
