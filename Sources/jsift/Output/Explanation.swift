import ArgumentParser
import JSONSift

/// The output of `--explain`: a description of what a run would do.
struct Explanation {
  private var lines: [(head: String, text: String)] = []
  private let options: CommonOptions

  /// Creates the description for `get` and `each`.
  init(paths: [NamedPath], condition: JSONCondition?, options: CommonOptions) {
    self.options = options
    for named in paths { add("path", (named.name.isEmpty ? "" : named.name + " = ") + named.path.description) }
    addInput()
    let kept = paths.contains { $0.path.streaming.form == .rejected }
    if options.reading.input.mayBeDocument {
      if condition != nil {
        add("document", "refused: --where needs records")
      } else if kept {
        add(
          "document",
          "read as a whole, at most \(options.reading.maxRecordBytes) bytes: '$' inside a filter asks for all of it"
        )
        add("", "stops early: no, all is read before it is asked")
      } else {
        for named in paths {
          add("document", (paths.count > 1 ? named.name + ": " : "") + streaming(named.path))
        }
        add("", "a match is held until it is complete, at most \(options.reading.maxRecordBytes) bytes")
        if options.reading.fast { add("fast", passing(paths)) }
        add("", "stops early: " + stopping(paths.allSatisfy { $0.path.streaming.stopsEarly }))
      }
    }
    if options.reading.input.mayBeRecords {
      addRecords(condition)
      add(
        "",
        "of each \(condition == nil ? "record" : "of those") the \(paths.count == 1 ? "path is" : "paths are") asked")
      addFastRecords(paths.map { $0.path }, condition)
      add("", "stops early: " + stopping(false))
    }
  }

  /// Creates the description for `records`.
  init(columns: [NamedPath], condition: JSONCondition?, options: CommonOptions) {
    self.options = options
    addInput()
    addRecords(condition)
    if options.results.count, columns.isEmpty, condition == nil, options.reading.input.mayBeRecords {
      add("", "one of a stream that is proven to be JSON is counted and not parsed; lines of --progress tell of doubts")
    }
    if options.reading.input.mayBeDocument { add("", "one document is one record") }
    for column in columns {
      add(
        "column",
        "\(column.name) = \(column.path)"
          + (column.path.isSingular ? ": the value, or no member" : ": an array of all values"))
    }
    addFastRecords(columns.map { $0.path }, condition)
    add("", "stops early: " + stopping(false))
  }

  /// Writes the description, and returns the exit status.
  func write() -> ExitCode {
    var text = ""
    for line in lines {
      text += line.head + String(repeating: " ", count: 10 - line.head.count)
      text += SourceExcerpt.printable(line.text.utf8) + "\n"
    }
    unsafe Output.standard.write(Array(text.utf8))
    unsafe Output.standard.finish()
    return ExitCode(Status.found)
  }

  private mutating func add(_ head: String, _ text: String) { lines.append((head, text)) }

  private mutating func addInput() {
    switch options.reading.input {
    case .auto: add("input", "document or records: the name and the first lines of each file tell")
    case .json: add("input", "one document")
    case .ndjson: add("input", "records, one on each line")
    case .seq: add("input", "records, a record separator before each")
    case .values: add("input", "records, one value after another")
    }
  }

  private mutating func addRecords(_ condition: JSONCondition?) {
    add("records", "one at a time is held, at most \(options.reading.maxRecordBytes) bytes")
    if let condition {
      add("where", "\(condition)")
      addLiterals(condition)
    }
  }

  /// Describes the literals that are searched for in a line before it is parsed.
  private mutating func addLiterals(_ condition: JSONCondition) {
    guard options.reading.input == .auto || options.reading.input == .ndjson else { return }
    let clauses = condition.literals.map { $0.joined(separator: " or ") }
    guard let first = clauses.first else {
      return add("needles", "none: the condition can hold for a record of any bytes, so each is parsed")
    }
    let others = clauses.dropFirst().map { ", and \($0)" }.joined()
    add("needles", first + others)
    if options.reading.countsEveryError, options.reading.skipPrefix {
      add("", "not looked for: each line is parsed, since it may have a prefix and every error counts")
    } else if options.reading.countsEveryError {
      add(
        "", "a line without them, in any spelling, is proven to be JSON and not parsed; if it is in doubt, it is parsed"
      )
      add("", "where most lines have them, all are parsed for a while")
    } else {
      add("", "a line without them, in any spelling, is not parsed, and nobody checks whether it is JSON")
      add("", "where most lines have them, all are parsed for a while")
    }
  }

  /// Describes what `--fast` skips in records when evaluating `paths`; if these are empty, the record itself is
  /// written.
  private mutating func addFastRecords(_ paths: [JSONPath], _ condition: JSONCondition?) {
    guard options.reading.fast else { return }
    let whole = paths.first { !$0.streaming.canFastForward }
    if !paths.isEmpty, whole == nil, condition?.canFastForward ?? true {
      let what = condition == nil ? "the \(paths.count == 1 ? "path asks" : "paths ask")" : "paths and condition ask"
      add("fast", "of a record only what \(what) for is parsed")
    } else if condition?.canFastForward == true {
      add("fast", "a record is parsed as a whole only if the condition holds")
    } else {
      let asker = whole.map { "\($0) asks" } ?? (paths.isEmpty ? "the output asks" : "the condition asks")
      return add("fast", "no: \(asker) for all of a record; every byte is validated")
    }
    add("", "of the rest it is checked that it is UTF-8, that strings end and that brackets match, and nothing else")
  }

  private func streaming(_ path: JSONPath) -> String {
    let streaming = path.streaming
    let isHeld = streaming.buffers.contains {
      switch $0 {
      case .matches, .elements, .lastElements: true
      case .candidates, .values: false
      }
    }
    return streaming.summary
      + (isHeld
        ? "; at most \(options.reading.maxRecordBytes) bytes of text together, and four times as many beside it" : "")
  }

  private func passing(_ paths: [NamedPath]) -> String {
    if let whole = paths.first(where: { !$0.path.streaming.canFastForward }) {
      return "no: \(whole.path) asks for all of the document; every byte is validated"
    }
    return "what cannot match is passed over: strings end and brackets match there, and nothing else is checked"
  }

  private func stopping(_ isAnswered: Bool) -> String {
    var reasons: [String] = []
    if isAnswered { reasons.append("when it is answered") }
    if let limit = options.results.limit { reasons.append("after \(limit) \(limit == 1 ? "result" : "results")") }
    return reasons.isEmpty ? "no, all is read" : "yes, " + reasons.joined(separator: " or ")
  }
}

extension InputForm {
  fileprivate var mayBeDocument: Bool { self == .auto || self == .json }
  fileprivate var mayBeRecords: Bool { self != .json }
}
