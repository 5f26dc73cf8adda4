import Foundation
import JSONSift

/// One run of ``FaultRun``: its world, what it does, and the check of its results.
struct FaultScenario {
  private let world: SimulatedWorld
  private let kind: FaultRun.Kind
  private let input: [UInt8]
  private let old = Array("the old output\n".utf8)
  private let isPipe: Bool
  private let outputKind: OutputKind
  /// The number of elements after which the reader is released; `nil` if it reads to the end.
  private let stop: Int?
  private let workers: Int
  private let choice: Int
  /// The number of elements between two writes, and the elements whose worker is late.
  private let batch: Int
  private let late: Int

  private enum OutputKind: Int { case missing, existing, linked, danglingLink, pipe }

  /// What a run has returned.
  private struct Found {
    var good: [[UInt8]] = []
    var bad: [[UInt8]] = []
    var rejectLines: [UInt8] = []
    var output: [UInt8] = []
    var error: String?
    var isStopped = false
  }

  init(_ world: SimulatedWorld, _ generator: inout SeededGenerator, _ kind: FaultRun.Kind, _ hasLongInputs: Bool) {
    self.world = world
    self.kind = kind
    func random(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }
    choice = random(1 << 20)
    workers = 1 + random(3)
    batch = 1 + random(12)
    late = random(10)
    outputKind = OutputKind(rawValue: random(5)) ?? .missing
    let isLong = random(200) == 0 && hasLongInputs
    let mostStops = isLong && kind == .records ? 1300 : 20
    stop = kind == .resume || random(isLong ? 2 : 6) == 0 ? random(mostStops) : nil
    switch kind {
    case .document: input = isLong ? FaultInput.longDocument : FaultInput.document(random(40), &generator)
    case .reformat where choice % 2 == 0: input = FaultInput.document(random(200), &generator)
    case .records: input = isLong ? FaultInput.longLines : FaultInput.lines(random(40), &generator)
    default: input = FaultInput.lines(random(40), &generator)
    }
    switch kind {
    case .records, .blocks, .tasks, .reformat: isPipe = random(2) == 0
    default: isPipe = false
    }
    var chunks: [Int] = []
    if isPipe { for _ in 0..<40 { chunks.append(1 + random(60)) } }
    let stalls = kind == .tasks && isPipe && random(5) == 0
    world.add("input", input, .input, kind: isPipe ? .pipe : .regular, chunks: chunks, stalls: stalls)
    switch outputKind {
    case .missing: break
    case .existing: world.add("out", old, .output)
    case .linked:
      world.add("out-target", old, .output)
      world.link("out", to: "out-target")
    case .danglingLink: world.link("out", to: "out-target")
    case .pipe: world.add("out", [], .output, kind: .pipe)
    }
    for call in SimulatedWorld.Call.allCases where call != .pause && random(3) == 0 { world.interrupted.insert(call) }
    if random(2) == 0 { world.short.insert(.read) }
    if random(2) == 0 { world.short.insert(.write) }
    if random(3) == 0 { world.rules.append(Self.rule(&generator)) }
    if isLong, kind == .document, random(2) == 0 { world.rules = [.init(.read, .input, 1 + random(3), EIO)] }
    if random(12) == 0 { world.free = random(800) }
    if kind != .resume, random(6) == 0 {
      world.foreignChange = (random(30), Self.foreignChange(&generator, outputKind))
    }
    if kind == .follow {
      follow(&generator)
    } else if !isPipe, kind != .resume, kind != .index, random(5) == 0 {
      world.changes = [
        (
          2 + random(20),
          random(2) == 0 ? .shrink(to: random(input.count + 1)) : .append(Array("{\"n\":0,\"s\":\"\"}\n".utf8))
        )
      ]
    }
  }

  private static func rule(_ generator: inout SeededGenerator) -> SimulatedWorld.Rule {
    func random(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }
    let rules: [SimulatedWorld.Rule] = [
      .init(.open, .input, 1 + random(2), EACCES), .init(.open, .input, 1 + random(2), EMFILE),
      .init(.read, .input, 1 + random(12), EIO), .init(.read, .input, 1 + random(12), EIO, repeats: true),
      .init(.close, .input, 1, EIO), .init(.status, .input, 1 + random(6), EIO),
      .init(.seek, .input, 1 + random(3), EIO),
      .init(.poll, .input, 1 + random(5), ENOMEM), .init(.map, .input, 1, ENOMEM),
      .init(.open, .output, 1, EACCES), .init(.open, .output, 1, ENOSPC), .init(.write, .output, 1 + random(5), EIO),
      .init(.write, .output, 1 + random(5), ENOSPC, repeats: true), .init(.write, .output, 1, EPIPE),
      .init(.synchronize, .output, 1, EIO), .init(.synchronize, .output, 1, EINVAL),
      .init(.synchronize, .output, 1, ENOSPC), .init(.close, .output, 1, ENOSPC),
      .init(.rename, .output, 1, EACCES), .init(.rename, .output, 1, ENOSPC), .init(.remove, .output, 1, EIO),
      .init(.status, .output, 1, EIO), .init(.permissions, .output, 1, EPERM), .init(.link, .output, 1, EIO),
      .init(.open, .folder, 1, EACCES), .init(.synchronize, .folder, 1, EIO),
      .init(.synchronize, .folder, 1, ENOSPC), .init(.close, .folder, 1, EIO),
      .init(.open, .rejects, 1, EACCES), .init(.open, .rejects, 1, ENOSPC), .init(.write, .rejects, 1 + random(5), EIO),
      .init(.write, .rejects, 1 + random(5), ENOSPC, repeats: true), .init(.close, .rejects, 1, EIO),
      .init(.truncate, .rejects, 1, EIO), .init(.seek, .rejects, 1, EIO), .init(.status, .rejects, 1 + random(2), EIO),
    ]
    return rules[random(rules.count)]
  }

  private static func foreignChange(
    _ generator: inout SeededGenerator, _ outputKind: OutputKind
  ) -> SimulatedWorld.ForeignChange {
    let bytes = Array("the output of another process\n".utf8)
    let changes: [SimulatedWorld.ForeignChange] = [
      .rejectsEmptied, .temporaryRemoved, .outputRewritten(bytes), .outputReplaced(bytes), .outputRemoved,
    ]
    // A pipe is written directly, so another output is never renamed to its path.
    return changes[Int(generator.next() % UInt64(outputKind == .pipe ? 1 : changes.count))]
  }

  /// Other processes append to the file, replace it and empty it.
  private func follow(_ generator: inout SeededGenerator) {
    var first = 100
    for _ in 0..<(generator.next() % 6) {
      let lines = FaultInput.lines(Int(generator.next() % 6), from: first, &generator)
      first += 100
      let more = FaultInput.lines(Int(generator.next() % 3), from: first, &generator)
      first += 100
      let change: SimulatedWorld.Change =
        switch generator.next() % 4 {
        case 0: .rotate(appending: more, to: lines)
        case 1: .rewrite(lines)
        default: .append(lines)
        }
      world.changes.append((Int(generator.next() % 12), change))
    }
  }

  // MARK: Runs

  func run() -> [String] {
    switch kind {
    case .records: return check(converted { try records($0) })
    case .follow: return check(converted { try followed($0) })
    case .resume: return checkResumed()
    case .reformat: return checkReformatted()
    case .blocks:
      let found = converted { try blocks($0) }
      // The workers end after the reader is released.
      var waits = 0
      while world.openCount > 0, waits < 20_000 {
        waits += 1
        _ = usleep(50)
      }
      return check(found)
    case .document: return checkDocument()
    case .index: return checkIndex()
    case .tasks: return []
    }
  }

  private var lineOptions: JSONRecordOptions { JSONRecordOptions(framing: .lines, recovery: .report) }

  private var source: JSONSource { .path(world.path("input")) }

  /// Does what the tool does: writes good records to the output and bad ones to the file of rejects, and replaces the
  /// output only if all has succeeded.
  private func converted(_ read: ((JSONRecordElement<[UInt8]>) throws -> Bool) throws -> Void) -> Found {
    var found = Found()
    var output: ReplacementFile?
    do {
      let file = try ReplacementFile(Array(world.path("out").utf8))
      output = file
      var rejects = try JSONRejectWriter(path: world.path("rejects"))
      var buffer: [UInt8] = []
      var count = 0
      try read { element in
        switch element {
        case .record(let bytes):
          found.good.append(bytes)
          buffer += bytes + [0x0A]
        case .bad(let bad):
          found.bad.append(bad.rawBytes)
          found.rejectLines += JSONRejectWriter.line(bad, file: "input")
          try rejects.write(bad, file: "input")
        }
        count += 1
        if count % batch == 0 {
          found.output += buffer
          try unsafe buffer.withUnsafeBytes { try unsafe file.write($0) }
          buffer = []
        }
        found.isStopped = count == stop
        return !found.isStopped
      }
      found.output += buffer
      try unsafe buffer.withUnsafeBytes { try unsafe file.write($0) }
      try rejects.close()
      try file.complete()
    } catch {
      found.error = "\(error)"
      output?.discard()
    }
    return found
  }

  private func records(_ take: (JSONRecordElement<[UInt8]>) throws -> Bool) throws {
    var reader = try JSONRecordReader(source, options: lineOptions)
    while let element = try reader.nextElement() { guard try take(element.text()) else { return } }
  }

  private func followed(_ take: (JSONRecordElement<[UInt8]>) throws -> Bool) throws {
    let world = world
    var goesOn = true
    while goesOn {
      let isLast = !world.hasPendingChanges
      var reader = try JSONRecordReader(
        source.following(every: 1) { !world.hasPendingChanges || world.stepCount > 5000 }, options: lineOptions)
      while let element = try reader.nextElement() {
        guard try take(element.text()) else { return }
      }
      goesOn = !isLast && world.stepCount <= 5000
    }
  }

  private func blocks(_ take: (JSONRecordElement<[UInt8]>) throws -> Bool) throws {
    let late = late
    var blocks = try JSONRecordBlocks(source, options: lineOptions, workers: workers) { reader in
      var elements: [JSONRecordElement<[UInt8]>] = []
      while let element = try reader.nextElement() { elements.append(try element.text()) }
      if elements.count % 10 == late { _ = usleep(100) }
      return FaultElements(elements)
    }
    while let found = try blocks.next() {
      for element in found.elements { guard try take(element) else { return } }
    }
  }

  func runTasks() async -> [String] {
    let world = world
    let (late, stop, options) = (late, stop, lineOptions)
    let workers = choice % 2 == 0 ? nil : self.workers
    let path = world.path("input")
    let task = Task { () -> FaultElements in
      var found: [JSONRecordElement<[UInt8]>] = []
      let records = JSONRecords(path, options: options)
      do {
        if let workers {
          var iterator = records.workers(workers) { record in
            if record["n"].intValue % 10 == late { _ = usleep(100) }
            return try record.value.bytes()
          }.elements.makeAsyncIterator()
          while found.count != stop, let element = try await iterator.next() { found.append(element) }
        } else {
          var iterator = records.elements.makeAsyncIterator()
          while found.count != stop, let element = try await iterator.next() { found.append(try element.text()) }
        }
      } catch {
        return FaultElements(found, error: "\(error)", isCancelled: error is CancellationError)
      }
      return FaultElements(found)
    }
    world.atStall = { task.cancel() }
    if choice % 3 == 0 { world.atStep = (1 + choice / 3 % 40, { task.cancel() }) }
    let elements = await task.value
    // The workers end after the iterator is released.
    var waits = 0
    while world.openCount > 0, waits < 20_000 {
      waits += 1
      if waits < 100 { await Task.yield() } else { _ = usleep(100) }
    }
    var found = Found()
    for element in elements.elements {
      switch element {
      case .record(let bytes): found.good.append(bytes)
      case .bad(let bad): found.bad.append(bad.rawBytes)
      }
    }
    found.isStopped = found.good.count + found.bad.count == stop || elements.isCancelled
    found.error = elements.isCancelled ? nil : elements.error
    return checkInput(found)
  }

  // MARK: Checks

  /// The bytes that the reads of the run have returned, for each file.
  private var delivered: [SimulatedWorld.Reading] { world.readings.filter { $0.begin != nil } }

  private func checkInput(_ found: Found) -> [String] {
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

  private func check(_ found: Found) -> [String] {
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

  private func checkDocument() -> [String] {
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

  private func checkReformatted() -> [String] {
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

  private func checkIndex() -> [String] {
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
  private func checkResumed() -> [String] {
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
        while let element = try reader.nextElement() {
          switch element {
          case .record(let record): good.append(try record.value.bytes())
          case .bad(let bad):
            rejectLines += JSONRejectWriter.line(bad, file: "input")
            try rejects.write(bad, file: "input")
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

/// The elements of a block or of a task.
private struct FaultElements: @unchecked Sendable {
  let elements: [JSONRecordElement<[UInt8]>]
  var error: String?
  var isCancelled = false

  init(_ elements: [JSONRecordElement<[UInt8]>], error: String? = nil, isCancelled: Bool = false) {
    (self.elements, self.error, self.isCancelled) = (elements, error, isCancelled)
  }
}

extension JSONRecordElement<JSONRecord> {
  /// The same with the text of the record.
  fileprivate func text() throws -> JSONRecordElement<[UInt8]> {
    switch self {
    case .record(let record): .record(try record.value.bytes())
    case .bad(let bad): .bad(bad)
    }
  }
}
