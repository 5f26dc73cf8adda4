import Dispatch
import Synchronization
import Testing

@testable import JSONSift

/// Runs the jobs of one actor, and counts them: a call that leaves the actor and comes back is a job.
private final class CountingExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "CallerIsolationTests")
  private let jobs = Atomic(0)

  var count: Int { jobs.load(ordering: .relaxed) }

  func enqueue(_ job: consuming ExecutorJob) {
    jobs.add(1, ordering: .relaxed)
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// Reads streams on its own executor.
private actor Caller {
  private nonisolated let executor = CountingExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private struct Event: Codable, Sendable { var id: Int }

  /// Returns the number of records that the iterator of a stream returns, and the number of jobs of this actor for it.
  func read(_ records: JSONRecords<JSONRecord>, as form: Form) async throws -> (records: Int, jobs: Int) {
    let start = executor.count
    var count = 0
    switch form {
    case .records:
      let iterator = records.where("@.id >= 0").makeAsyncIterator()
      while try await iterator.next() != nil { count += 1 }
    case .elements:
      let iterator = records.results.makeAsyncIterator()
      while try await iterator.next() != nil { count += 1 }
    case .decoded:
      let iterator = records.decode(Event.self).makeAsyncIterator()
      while try await iterator.next() != nil { count += 1 }
    case .decodedElements:
      let iterator = records.decode(Event.self).results.makeAsyncIterator()
      while try await iterator.next() != nil { count += 1 }
    case .workers:
      let iterator = records.workers(2).makeAsyncIterator()
      while try await iterator.next() != nil { count += 1 }
    case .workerElements:
      let iterator = records.decode(Event.self).workers(2).results.makeAsyncIterator()
      while try await iterator.next() != nil { count += 1 }
    case .loop:
      for try await _ in records { count += 1 }
    }
    return (count, executor.count - start)
  }
}

private enum Form: CaseIterable, Sendable {
  case records, elements, decoded, decodedElements, workers, workerElements, loop
}

@Suite struct CallerIsolationTests {
  @Test(arguments: Form.allCases)
  private func `issue 48: the next record is read on the actor of the caller, without leaving it`(
    form: Form
  ) async throws {
    let text = (0..<2_000).map { "{\"id\":\($0)}\n" }.joined()
    let (records, jobs) = try await Caller().read(JSONRecords(bytes: Array(text.utf8)), as: form)
    // Workers are waited for, which is a few jobs for each block.
    #expect(records == 2_000 && jobs < 100, "\(jobs) jobs")
  }
}
