import Foundation
import JSONSift

/// Verifies what must hold after a run; documents, layouts, indexes and resumed runs are also run here. Each check returns
/// the violations.
extension FaultScenario {
  /// The bytes that the reads of the run have returned, for each file.
  private var delivered: [SimulatedWorld.Reading] { world.readings.filter { $0.begin != nil } }

  func checkInput(_ found: Found) -> [String] {
    var violations: [String] = []
    var (good, bad): ([[UInt8]], [[UInt8]]) = ([], [])
    let last = kind == .follow ? delivered : Array(delivered.suffix(1))
    for reading in last {
      let records = FaultInput.records(reading.bytes)
      good += records.good
      bad += records.bad
      let file = world.bytes(ofFile: reading.file)
      // An ended reading has seen all of a file, unless the file was emptied.
      if found.error == nil, !found.isStopped, !reading.sawEnd {
        violations.append("success without the end of the input")
      }
      if found.error == nil, !found.isStopped, reading.bytes != file,
        !isChanged || kind == .follow && !world.emptied.contains(reading.file)
      {
        violations.append("success without \(file.count - reading.bytes.count) bytes of the input")
      }
    }
    if found.error == nil, !found.isStopped {
      if kind == .follow, let last = delivered.last, last.bytes != world.file("input")?.bytes ?? [] {
        violations.append("a file that was replaced or emptied is not read to its end")
      }
      if !world.mustReport.isEmpty { violations.append("success in spite of: \(world.mustReport)") }
      if found.good != good { violations.append("\(found.good.count) good records instead of \(good.count)") }
      if found.bad != bad { violations.append("\(found.bad.count) bad records instead of \(bad.count)") }
    } else {
      if let error = found.error, world.mustReport.isEmpty, world.mayReport.isEmpty {
        violations.append("an error without a fault: \(error)")
      }
      if !good.starts(with: found.good) { violations.append("good records that are not the first ones") }
      if !bad.starts(with: found.bad) { violations.append("bad records that are not the first ones") }
    }
    return violations
  }

  /// Whether another process may remove bytes before they are read.
  private var isChanged: Bool { kind == .follow || (!isPipe && world.faultCounts["input changes"] != nil) }

  func check(_ found: Found) -> [String] {
    var violations = checkInput(found)
    violations += checkOutput(found.output, isComplete: found.error == nil)
    let rejects = world.file("rejects")?.bytes ?? []
    // Rejects keep their offsets: zero bytes fill what another process has removed, if other rejects follow.
    let removed = world.removedRejects
    var expected = [UInt8](repeating: 0, count: removed) + found.rejectLines.dropFirst(removed)
    if expected.count == removed { expected = [] }
    if found.error == nil {
      if rejects != expected { violations.append("incomplete rejects of a run that succeeded") }
    } else if !expected.starts(with: rejects) {
      violations.append("rejects that are not the first ones")
    }
    return violations
  }

  private func checkOutput(_ output: [UInt8], isComplete: Bool) -> [String] {
    var violations: [String] = []
    let names = world.allNames
    let failedFolder = world.mustReport.contains { $0.hasPrefix("synchronize of the folder") }
    if names.contains(where: { $0.hasSuffix(".part") }), !world.mayReport.contains(where: { $0.hasPrefix("remove") }) {
      violations.append("a temporary file is left: \(names)")
    }
    let file = world.file("out")?.bytes
    if outputKind == .pipe {
      if let kind = world.file("out")?.kind, kind != .pipe { violations.append("the pipe was replaced by a file") }
      if isComplete, file != output { violations.append("the pipe has received other bytes") }
      if !isComplete, !output.starts(with: file ?? []) { violations.append("the pipe has received other bytes") }
      return violations
    }
    let before = world.foreignOutput ?? (outputKind == .missing || outputKind == .danglingLink ? nil : old)
    if isComplete || failedFolder {
      if file != output { violations.append("the new output is not complete") }
      if isComplete, world.isChangedSinceSynchronized,
        !world.mayReport.contains(where: { $0.hasPrefix("open of the folder") })
      {
        violations.append("the name of the output is not on the disk")
      }
    } else if file != before {
      violations.append("a failed run has changed the output")
    }
    return violations
  }

  func checkDocument() -> [String] {
    var error: String?
    var text: [UInt8] = []
    do {
      let json = try JSON(contentsOf: world.path("input"), loading: choice % 4 == 0 ? .mapped : .copied)
      text = try json.bytes()
      try json.write(to: world.path("out"))
    } catch let failure {
      error = "\(failure)"
    }
    var violations = checkOutput(text, isComplete: error == nil)
    if let error {
      if world.mustReport.isEmpty, world.mayReport.isEmpty, !isChanged {
        violations.append("an error without a fault: \(error)")
      }
    } else {
      if !world.mustReport.isEmpty { violations.append("success in spite of: \(world.mustReport)") }
      if text != input { violations.append("another document") }
    }
    return violations
  }

  func checkReformatted() -> [String] {
    var text: [UInt8] = []
    var error: String?
    do {
      let options = JSONRecordOptions(framing: choice % 2 == 0 ? .document : .lines, recovery: .stop)
      var reformatter = try JSONReformatter(source, as: .compact, records: options)
      while try reformatter.next(into: &text) {}
    } catch let failure {
      error = "\(failure)"
    }
    let bytes = delivered.last?.bytes ?? []
    if choice % 2 == 0 {
      if error == nil {
        return world.mustReport.isEmpty && text.filter { $0 != 0x0A } == bytes && delivered.last?.sawEnd == true
          ? [] : ["another document, or success in spite of: \(world.mustReport)"]
      }
      let isExplained = !world.mustReport.isEmpty || !world.mayReport.isEmpty || isChanged
      // A key is written with its colon, also where the text ends after the key.
      let isBeginning = bytes.starts(with: text.last == UInt8(ascii: ":") ? text.dropLast() : text[...])
      return isExplained && isBeginning
        ? [] : ["an error without a fault, or text that is not the first: \(error ?? "")"]
    }
    // Reading stops at the first bad line.
    let lines = FaultInput.lines(of: bytes)
    let good = lines.prefix(while: FaultInput.isGood)
    let expected = [UInt8](good.map { $0 + [0x0A] }.joined())
    if error == nil {
      let isAll = good.count == lines.count && world.mustReport.isEmpty && delivered.last?.sawEnd == true
      return isAll && text == expected ? [] : ["\(lines.count) lines, success in spite of: \(world.mustReport)"]
    }
    let isExplained = good.count < lines.count || !world.mustReport.isEmpty || !world.mayReport.isEmpty
    return isExplained && expected.starts(with: text)
      ? [] : ["an error without a fault, or lines that are not the first: \(error ?? "")"]
  }

  func checkIndex() -> [String] {
    var violations: [String] = []
    do {
      let index = try JSONRecordIndex(of: source, every: 1 + choice % 5)
      let lines = FaultInput.lines(of: input)
      guard index.count == lines.count else { return ["\(index.count) records in the index instead of \(lines.count)"] }
      for number in stride(from: 0, to: index.count, by: 1 + batch) {
        let isGood = FaultInput.isGood(lines[number])
        do {
          let text = try index.record(number, in: world.path("input"))?.value.bytes()
          if !isGood || text != lines[number] { violations.append("another record \(number)") }
        } catch {
          if isGood, world.mustReport.isEmpty, world.mayReport.isEmpty { violations.append("\(error)") }
        }
      }
    } catch {
      if world.mustReport.isEmpty, world.mayReport.isEmpty { violations.append("an error without a fault: \(error)") }
    }
    return violations
  }

  /// A run that stores its checkpoints, ends, and goes on. Faults end it, too.
  func checkResumed() -> [String] {
    var good: [[UInt8]] = []
    var rejectLines: [UInt8] = []
    var (position, end): (JSONCheckpoint?, JSONCheckpoint?)
    var saved: (good: Int, rejects: Int) = (0, 0)
    var isComplete = false
    for attempt in 0..<4 where !isComplete {
      good.removeSubrange(saved.good...)
      rejectLines.removeSubrange(saved.rejects...)
      do {
        var rejects = try JSONRejectWriter(path: world.path("rejects"), resumingAt: end)
        var reader = try JSONRecordReader(source, options: lineOptions, resumingAt: position)
        var count = 0
        while let element = try reader.nextResult() {
          switch element {
          case .success(let record): good.append(try record.value.bytes())
          case .failure(let bad):
            rejectLines += JSONRejectWriter.line(bad, file: "input")
            try rejects.write(bad, from: "input")
          }
          count += 1
          // The process ends without a checkpoint.
          if attempt < 3, count == stop { throw CancellationError() }
          if count % batch == 0 {
            (position, end) = (reader.checkpoint, try rejects.checkpoint())
            saved = (good.count, rejectLines.count)
          }
        }
        try rejects.close()
        isComplete = true
      } catch {}
    }
    let all = FaultInput.records(input)
    guard isComplete else {
      return world.mustReport.isEmpty && world.mayReport.isEmpty ? ["four attempts failed without a fault"] : []
    }
    var violations: [String] = []
    if good != all.good { violations.append("\(good.count) good records instead of \(all.good.count)") }
    if world.file("rejects")?.bytes != rejectLines { violations.append("other rejects") }
    if rejectLines.count(where: { $0 == 0x0A }) != all.bad.count { violations.append("other bad records") }
    return violations
  }
}
