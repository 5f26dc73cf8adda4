import Dispatch
import JSONSift
import Synchronization

/// How many records are errors, and the sum of their latencies in tenths: asked with a condition.
private struct Errors: Sendable {
  static let condition = "@.level == 'error'"

  var count = 0
  var latency = 0.0

  var answer: (count: Int, sum: Double) { (2, Double(count) + (latency * 10).rounded()) }
}

private func options(_ prefilter: JSONRecordOptions.Prefilter = .automatic) -> JSONRecordOptions {
  var options = JSONRecordOptions(framing: .lines, recovery: .skip)
  options.prefilter = prefilter
  return options
}

/// On this thread.
func errors(_ path: String, prefilter: JSONRecordOptions.Prefilter) throws -> (count: Int, sum: Double) {
  var matches = try JSONMatches(
    of: [("latency", JSONPath("$.latency_ms"))], where: JSONCondition(Errors.condition), in: .path(path),
    records: options(prefilter))
  var found = Errors()
  while let match = try matches.next() {
    found.count += 1
    found.latency += match.value.double ?? .nan
  }
  return found.answer
}

/// With several workers; the thread waits for them.
func errors(_ path: String, workers: Int) throws -> (count: Int, sum: Double) {
  let done = DispatchSemaphore(value: 0)
  let box = Box()
  Task.detached {
    do {
      var found = Errors()
      let records = JSONRecords(path, options: options()).where(Errors.condition)
      for try await latency in records.workers(workers, { $0["latency_ms"].double }) {
        found.count += 1
        found.latency += latency
      }
      box.result.withLock { $0 = .success(found) }
    } catch {
      box.result.withLock { $0 = .failure(error) }
    }
    done.signal()
  }
  done.wait()
  return try box.result.withLock { $0 }.get().answer
}

private final class Box: Sendable {
  let result = Mutex<Result<Errors, any Error>>(.success(Errors()))
}
