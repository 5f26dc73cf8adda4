import ArgumentParser
import JSONSift

/// The options for records around those that satisfy a condition, named as those of grep.
struct ContextOptions: ParsableArguments {
  @Option(
    name: [.customShort("A"), .long], parsing: .unconditional,
    help: ArgumentHelp("With --where: also the n records after each that satisfies it.", valueName: "n"))
  var afterContext: Int?

  @Option(
    name: [.customShort("B"), .long], parsing: .unconditional,
    help: ArgumentHelp("With --where: also the n records before each that satisfies it.", valueName: "n"))
  var beforeContext: Int?

  @Option(
    name: [.customShort("C"), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "With --where: also the n records before and after each that satisfies it; see above.", valueName: "n"))
  var context: Int?

  func validate() throws {
    for (name, count) in [
      ("--after-context", afterContext), ("--before-context", beforeContext), ("--context", context),
    ] {
      try require(name, count, atLeast: 0)
    }
  }

  /// Whether records around others are written.
  var isUsed: Bool { option != nil }

  private var option: String? {
    context != nil
      ? "--context" : afterContext != nil ? "--after-context" : beforeContext != nil ? "--before-context" : nil
  }

  /// Rejects options that have no meaning for records around others.
  func check(_ condition: ConditionOption, _ results: ResultOptions) throws {
    guard let option else { return }
    let others = [
      ("--count", results.count), ("--rejects-inline", results.rejectsInline != nil),
      ("--format \(results.format.name)", results.format.isBinary),
    ]
    if let (other, _) = others.first(where: { $0.1 }) {
      throw ValidationError("\(option) writes records that do not satisfy the condition; use it without \(other)")
    }
    if condition.condition == nil {
      throw ValidationError("\(option) selects records around those that satisfy a condition; use it with --where")
    }
  }

  /// The numbers of records; `nil` if none are requested.
  func numbers(_ condition: JSONCondition?) -> RecordContext? {
    guard option != nil, let condition else { return nil }
    return RecordContext(
      condition: condition, before: beforeContext ?? context ?? 0, after: afterContext ?? context ?? 0)
  }
}

/// The records around others that are written.
struct RecordContext: Sendable {
  let condition: JSONCondition
  let before: Int
  let after: Int
}

/// Selects, of all records, those that satisfy a condition and the records around them. It receives the records in the order of
/// the input, so the result does not depend on the workers.
struct ContextSelection {
  private let context: RecordContext
  private let format: RowFormat
  private let hasGroups: Bool
  /// The last records that were not written, which may stand before the next one that is.
  private var held: [(bytes: [UInt8], kinds: [UInt8])] = []
  /// The number of records after the last that satisfied the condition which are still written.
  private var following = 0
  /// Whether the record before the next one was written.
  private var isInGroup = false
  private var group = 0

  /// - Parameter hasGroups: Whether each record has the number of its group.
  init(_ context: RecordContext, _ format: RowFormat, hasGroups: Bool) {
    (self.context, self.format, self.hasGroups) = (context, format, hasGroups)
  }

  /// Begins another file: no record of it stands beside one of the file before.
  mutating func beginFile() {
    held = []
    following = 0
    isInGroup = false
  }

  /// Reduces the results of a batch, which are all records, to those that are written.
  mutating func reduce(_ batch: inout Batch) {
    var reduced = (bytes: [UInt8](), kinds: [UInt8](), ends: [Int]())
    let width = batch.count > 0 ? batch.kinds.count / batch.count : 0
    var (start, nextBad) = (0, 0)
    for index in 0...batch.count {
      // A bad record stands between the records that were written before and after it.
      while nextBad < batch.bad.count, batch.bad[nextBad].results <= index {
        batch.bad[nextBad] = Batch.Bad(
          results: reduced.ends.count, bytes: reduced.bytes.count, rejects: batch.bad[nextBad].rejects)
        nextBad += 1
      }
      guard index < batch.count else { break }
      let bytes = batch.bytes[start..<batch.ends[index]]
      let kinds = batch.kinds[(index * width)..<((index + 1) * width)]
      start = batch.ends[index]
      if batch.satisfies[index] { following = max(context.after, context.after &+ 1) }
      if following > 0 {
        following -= 1
        for record in held { append(record.bytes[...], record.kinds[...], to: &reduced) }
        held.removeAll(keepingCapacity: true)
        append(bytes, kinds, to: &reduced)
      } else if !isNear(index, in: batch) {
        // The records that were held back are farther from those behind it.
        held.removeAll(keepingCapacity: true)
        isInGroup = false
      } else {
        held.append((Array(bytes), Array(kinds)))
        if held.count > context.before {
          held.removeFirst()
          isInGroup = false
        }
      }
    }
    (batch.bytes, batch.kinds, batch.ends) = reduced
    batch.count = reduced.ends.count
    batch.satisfies = []
  }

  /// Returns whether a record of a batch may stand before one that satisfies the condition: in this batch, or in the next one.
  private func isNear(_ index: Int, in batch: Batch) -> Bool {
    guard context.before > 0 else { return false }
    let end = index.addingReportingOverflow(context.before)
    return end.overflow || end.partialValue >= batch.count
      || batch.satisfies[(index + 1)...end.partialValue].contains(true)
  }

  private mutating func append(
    _ bytes: ArraySlice<UInt8>, _ kinds: ArraySlice<UInt8>,
    to reduced: inout (bytes: [UInt8], kinds: [UInt8], ends: [Int])
  ) {
    if !isInGroup {
      group += 1
      if group > 1 { reduced.bytes += format.groupDivider }
    }
    isInGroup = true
    if hasGroups {
      reduced.bytes.append(bytes, inGroup: group, format)
    } else {
      reduced.bytes += bytes
    }
    reduced.kinds += kinds
    reduced.ends.append(reduced.bytes.count)
  }
}

extension [UInt8] {
  /// Appends a result with the number of its group as its first member or field.
  fileprivate mutating func append(_ result: ArraySlice<UInt8>, inGroup group: Int, _ format: RowFormat) {
    guard let field = format.field else {
      guard let brace = result.firstIndex(of: UInt8(ascii: "{")) else { return self += result }
      self += result[...brace]
      self += "\"group\":\(group),".utf8
      return self += result[(brace + 1)...]
    }
    field(Cell(group), false, [], &self)
    append(format.delimiter)
    self += result
  }
}
