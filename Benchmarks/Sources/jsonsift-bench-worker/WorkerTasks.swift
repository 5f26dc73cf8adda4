import JSONSift

/// Reads the records of a stream by `next()`, on no actor.
@concurrent func recordsOnNoActor(_ path: String) async throws -> (count: Int, sum: Double) { try await records(path) }

/// The same on the main actor, as a program does in `main.swift`.
@MainActor func recordsOnMainActor(_ path: String) async throws -> (count: Int, sum: Double) { try await records(path) }

nonisolated(nonsending) private func records(_ path: String) async throws -> (count: Int, sum: Double) {
  let records = JSONRecords(path).makeAsyncIterator()
  var answer = (count: 0, sum: 0.0)
  while let record = try await records.next() {
    if record["level"].string == "error" { answer.count += 1 }
    answer.sum += record["latency_ms"].double ?? .nan
  }
  return answer
}
