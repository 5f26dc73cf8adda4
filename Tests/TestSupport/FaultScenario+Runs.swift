import Foundation
import JSONSift

/// Starts a run of each kind, and performs those of records: on one thread, followed, in blocks and as tasks.
extension FaultScenario {
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

  var lineOptions: JSONRecordOptions { JSONRecordOptions(framing: .lines, recovery: .report) }

  var source: JSONSource { .path(world.path("input")) }

  /// Does what the tool does: writes good records to the output and bad ones to the file of rejects, and replaces the
  /// output only if all has succeeded.
  private func converted(_ read: ((Result<[UInt8], JSONBadRecord>) throws -> Bool) throws -> Void) -> Found {
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
        case .success(let bytes):
          found.good.append(bytes)
          buffer += bytes + [0x0A]
        case .failure(let bad):
          found.bad.append(bad.rawBytes)
          found.rejectLines += JSONRejectWriter.line(bad, file: "input")
          try rejects.write(bad, from: "input")
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

  private func records(_ take: (Result<[UInt8], JSONBadRecord>) throws -> Bool) throws {
    var reader = try JSONRecordReader(source, options: lineOptions)
    while let element = try reader.nextResult() { guard try take(element.text()) else { return } }
  }

  private func followed(_ take: (Result<[UInt8], JSONBadRecord>) throws -> Bool) throws {
    let world = world
    var goesOn = true
    while goesOn {
      let isLast = !world.hasPendingChanges
      var reader = try JSONRecordReader(
        source.following(every: .milliseconds(1)) { !world.hasPendingChanges || world.stepCount > 5000 },
        options: lineOptions)
      while let element = try reader.nextResult() {
        guard try take(element.text()) else { return }
      }
      goesOn = !isLast && world.stepCount <= 5000
    }
  }

  private func blocks(_ take: (Result<[UInt8], JSONBadRecord>) throws -> Bool) throws {
    let late = late
    var blocks = try JSONRecordBlocks(source, options: lineOptions, workers: workers) { reader in
      var elements: [Result<[UInt8], JSONBadRecord>] = []
      while let element = try reader.nextResult() { elements.append(try element.text()) }
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
      var found: [Result<[UInt8], JSONBadRecord>] = []
      let records = JSONRecords(path, options: options)
      do {
        if let workers {
          let iterator = records.workers(workers) { record in
            if record["n"].intValue % 10 == late { _ = usleep(100) }
            return try record.value.bytes()
          }.results.makeAsyncIterator()
          while found.count != stop, let element = try await iterator.next() { found.append(element) }
        } else {
          let iterator = records.results.makeAsyncIterator()
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
      case .success(let bytes): found.good.append(bytes)
      case .failure(let bad): found.bad.append(bad.rawBytes)
      }
    }
    found.isStopped = found.good.count + found.bad.count == stop || elements.isCancelled
    found.error = elements.isCancelled ? nil : elements.error
    return checkInput(found)
  }
}

/// The elements of a block or of a task.
private struct FaultElements: @unchecked Sendable {
  let elements: [Result<[UInt8], JSONBadRecord>]
  var error: String?
  var isCancelled = false

  init(_ elements: [Result<[UInt8], JSONBadRecord>], error: String? = nil, isCancelled: Bool = false) {
    (self.elements, self.error, self.isCancelled) = (elements, error, isCancelled)
  }
}

extension Result<JSONRecord, JSONBadRecord> {
  /// The same with the text of the record.
  fileprivate func text() throws -> Result<[UInt8], JSONBadRecord> {
    switch self {
    case .success(let record): .success(try record.value.bytes())
    case .failure(let bad): .failure(bad)
    }
  }
}
