import ArgumentParser
import JSONSift

/// The output of `--explain`: a description of the planned run.
struct Explanation {
  private var lines: [(head: String, text: String)] = []
  private let options: any ResultCommand
  private let window: TimeWindow?

  /// Creates the description for `get` and `each`.
  init(paths: [NamedPath], condition: JSONCondition?, _ window: TimeWindow? = nil, options: any ResultCommand) {
    self.options = options
    self.window = window
    for named in paths { add("path", (named.name.isEmpty ? "" : named.name + " = ") + named.path.description) }
    addInput()
    let kept = paths.contains { $0.path.streaming.form == .rejected }
    if mayBeDocument {
      if condition != nil || window != nil {
        add("document", "refused: \(condition != nil ? "--where" : "--time") needs records")
      } else if kept {
        add(
          "document",
          "read as a whole, at most \(options.reading.maxRecordBytes) bytes: '$' inside a filter requires the whole "
            + "document"
        )
        add("", "stops early: no, everything is read before evaluation")
      } else {
        for named in paths {
          add("document", (paths.count > 1 ? named.name + ": " : "") + streaming(named.path))
        }
        add("", "a match is kept in memory until complete, at most \(options.reading.maxRecordBytes) bytes")
        add("", "stops early: " + stopping(paths.allSatisfy { $0.path.streaming.stopsEarly }))
      }
    }
    if options.reading.input.mayBeRecords {
      addRecords(condition)
      add(
        "",
        "the \(paths.count == 1 ? "path is" : "paths are") evaluated on each "
          + (condition == nil && window == nil ? "record" : "of these"))
      add("", "stops early: " + stopping(false))
    }
  }

  /// Creates the description for `records`.
  init(columns: [NamedPath], condition: JSONCondition?, _ window: TimeWindow?, options: any ResultCommand) {
    self.options = options
    self.window = window
    addInput()
    addRecords(condition)
    if options.results.count, columns.isEmpty, condition == nil, window == nil, options.reading.input.mayBeRecords {
      add("", "validated records are counted without parsing; --progress counts undecided places")
    }
    if let merge = options as? Merge { addMerge(merge) }
    if mayBeDocument { add("", "one document is one record") }
    for column in columns {
      add(
        "column",
        "\(column.name) = \(column.path)"
          + (column.path.isSingular ? ": the value, or no member" : ": an array of all values"))
    }
    add("", "stops early: " + stopping(false))
  }

  /// Writes the description, and returns the exit status.
  func write() -> ExitCode {
    var text = ""
    for line in lines {
      text += line.head + String(repeating: " ", count: 10 - line.head.count)
      text += line.text.utf8.printable + "\n"
    }
    unsafe Output.standard.write(Array(text.utf8))
    unsafe Output.standard.flush()
    return ExitCode(Status.found)
  }

  /// Whether a file may be one document. Only a file of lines is searched for a window.
  private var mayBeDocument: Bool { options.reading.input.mayBeDocument && window?.slack == nil && !(options is Merge) }

  private mutating func add(_ head: String, _ text: String) { lines.append((head, text)) }

  private mutating func addInput() {
    switch options.reading.input {
    case .auto where !mayBeDocument: add("input", "records, one on each line")
    case .auto: add("input", "document or records: detected from the name and first lines of each file")
    case .json: add("input", "one document")
    case .ndjson: add("input", "records, one on each line")
    case .mixed: add("input", "records of one or several lines, between lines of other text")
    case .seq: add("input", "records, a record separator before each")
    case .values: add("input", "records, one value after another")
    }
    for step in options.reading.steps { add("step", step.explanation) }
    if Nesting.launch.isWrapped {
      add("", "paths and conditions are evaluated in {\"v\": the record, \"^\": what they need of the outer record}")
    }
  }

  private mutating func addRecords(_ condition: JSONCondition?) {
    add("records", "one at a time is kept in memory, at most \(options.reading.maxRecordBytes) bytes")
    if let condition { add("where", "\(condition)") }
    for (number, line) in (window?.explanation ?? []).enumerated() { add(number == 0 ? "time" : "", line) }
    if let combined = TimeWindow.condition(condition, window) { addLiterals(combined) }
  }

  private mutating func addMerge(_ merge: Merge) {
    add("merge", "of all files, by the time at \(merge.time.text); of equal times in the order of the files")
    guard let slack = merge.time.slack else { return }
    add("", "--slack \(slack) holds back records of at most \(merge.maxSlackBytes) bytes, with 80 for each")
  }

  /// Describes the literals that are searched for in a line before it is parsed.
  private mutating func addLiterals(_ condition: JSONCondition) {
    guard options.reading.input.isLines else { return }
    let clauses = condition.literals.map { $0.joined(separator: " or ") }
    guard let first = clauses.first else {
      return add("literals", "none: the condition does not require any literal, so each record is parsed")
    }
    let others = clauses.dropFirst().map { ", and \($0)" }.joined()
    add("literals", first + others)
    if options.reading.prefilter == .never {
      add("", "not used: each line is parsed (--prefilter never)")
    } else if options.countsEveryError, options.reading.skipPrefix {
      add("", "not used: each line is parsed, because it may have a prefix and every error counts")
    } else if options.countsEveryError {
      add("", "a line without them (also escaped) is validated but not parsed, unless it is undecided")
      add("", "if most lines contain them, all lines are parsed for a while")
    } else {
      add("", "a line without them (also escaped) is not parsed and not validated")
      add("", "if most lines contain them, all lines are parsed for a while")
    }
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
        ? "; at most \(options.reading.maxRecordBytes) bytes of text in total, plus four times as much overhead" : "")
  }

  private func stopping(_ isAnswered: Bool) -> String {
    var reasons: [String] = []
    if isAnswered { reasons.append("once the results of all paths are known") }
    if window?.slack != nil { reasons.append("after the window") }
    if let limit = options.results.limit { reasons.append("after \(limit) \(limit == 1 ? "result" : "results")") }
    return reasons.isEmpty ? "no, everything is read" : "yes, " + reasons.joined(separator: " or ")
  }
}

extension InputForm {
  fileprivate var mayBeDocument: Bool { self == .auto || self == .json }
  fileprivate var mayBeRecords: Bool { self != .json }
}

extension JSONRecordStep {
  fileprivate var explanation: String {
    switch kind {
    case .unwrap(let path, _): "the JSON in the string at \(path) of each record is the record"
    case .each(let path): "the children of the containers at \(path) are the records"
    case .join: "the parts of a runtime's lines are put together"
    case .mixed(let lines): "a value over at most \(lines) lines is a record"
    }
  }
}
