import JSONSift

/// Reads the lines of a source as parallel workers do, but without tasks: the blocks go to one worker after another on this
/// thread. The fuzz targets compare its results with those of one reader, and each run can be repeated exactly.
package struct WorkersInTurn {
  /// What all workers have found, in the order of the input.
  package private(set) var results: [Result<JSONRecord, JSONBadRecord>] = []
  /// The error that ended the reading.
  package private(set) var failure: (any Error)?

  private final class Worker {
    var worker: BlockWorker
    let block = LineBlock()
    init(_ options: JSONRecordOptions, where condition: JSONCondition?) throws(JSONError) {
      worker = try BlockWorker(options, where: condition)
    }
  }

  /// Reads the whole source. Bad records are reported among the good ones, whatever the options say.
  package init(
    _ source: JSONSource, _ options: JSONRecordOptions, where condition: JSONCondition?, workers count: Int
  ) throws(JSONError) {
    var window = try ReadWindow(source)
    _ = try window.skipToStart(options, .lines, resumingAt: nil)
    var cutter = LineCutter(window, options)
    var workers: [Worker] = []
    for _ in 0..<max(count, 1) { workers.append(try Worker(options, where: condition)) }
    var number = 0
    do {
      while failure == nil {
        let worker = workers[number % workers.count]
        guard case .block = try cutter.next(into: worker.block) else { return }
        read(worker, number)
        number += 1
      }
    } catch {
      failure = error
    }
  }

  private mutating func read(_ worker: Worker, _ number: Int) {
    var isNew = true
    while true {
      let part = worker.worker.read(worker.block, number, isNew: isNew) { $0 }
      isNew = false
      var next = 0
      for bad in part.bad {
        results += part.outputs[next..<bad.index].map { .success($0) }
        results.append(.failure(bad.record))
        next = bad.index
      }
      results += part.outputs[next...].map { .success($0) }
      if let error = part.failure { failure = error }
      if part.isLast || failure != nil { return }
    }
  }
}
