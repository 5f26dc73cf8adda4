/// Work for a process of its own.
struct Job {
  let name: String
  /// What the worker is called with.
  let words: [String]
  let answer: Worker.Answer
  /// Which worker: the end of its name.
  var worker = Worker.standard

  /// The worker that makes models.
  static let models = "-models"

  struct Result {
    /// How many times as fast as the first job.
    let ratio: Double
    let peakBytes: Double
  }
}

extension Report {
  /// Runs the jobs in turn, the first being the baseline, and prints a table.
  func jobs(_ subject: String, bytes: Int, rounds: Int, _ jobs: [Job]) throws -> [Job.Result] {
    var samples = jobs.map { _ in [Worker]() }
    for round in 0..<rounds {
      for turn in jobs.indices {
        let index = (turn + round) % jobs.count
        let worker = try Worker.run(jobs[index].words, by: jobs[index].worker)
        try check(worker.answer, is: jobs[index].answer, "\(subject), \(jobs[index].name)")
        samples[index].append(worker)
      }
    }
    print("\n\(subject), \(megabytes(bytes))")
    print(
      column("", 30) + right("seconds", 8) + right("MB/s", 8) + right("peak MB", 9) + "   x \(jobs[0].name)")
    return jobs.indices.map { index in
      let seconds = Spread(samples[index].map(\.seconds))
      let peak = Spread(samples[index].map { Double($0.peakBytes) })
      let ratio = Spread(zip(samples[0], samples[index]).map { $0.seconds / $1.seconds })
      let rate = Double(bytes) / seconds.median / 1e6
      print(
        column("  " + jobs[index].name, 30) + right(fixed(seconds.median, 2), 8)
          + right(fixed(rate, rate < 100 ? 1 : 0), 8) + right(fixed(peak.max / 1e6, 1), 9) + "   "
          + (index == 0 ? "" : text(ratio)))
      add(subject, jobs[index].name, "seconds", seconds)
      add(subject, jobs[index].name, "MB/s", rate)
      add(subject, jobs[index].name, "peak MB", peak.max / 1e6)
      if index > 0 { add(subject, jobs[index].name, "x \(jobs[0].name)", ratio) }
      return Job.Result(ratio: ratio.median, peakBytes: peak.max)
    }
  }
}
