/// One way to do a chunk of work.
struct Side {
  let name: String
  let run: () throws -> Void

  init(_ name: String, _ run: @escaping () throws -> Void) {
    self.name = name
    self.run = run
  }
}

/// How long to measure.
struct Effort {
  /// How often each pair of sides is measured.
  var rounds: Int
  /// The same for a peer that is many times slower.
  var peerRounds: Int
  /// A sample repeats its work until it takes that long: shorter ones measure the clock and the scheduler.
  var sampleSeconds: Double

  static let full = Effort(rounds: 15, peerRounds: 3, sampleSeconds: 0.05)
  static let quick = Effort(rounds: 3, peerRounds: 1, sampleSeconds: 0.005)
}

/// One side and what it was compared with.
struct Comparison {
  let name: String
  /// Seconds of one run.
  let seconds: Spread
  /// How many times as fast as each baseline: the spread of the ratios of neighbours in time.
  let ratios: [Spread]
}

/// Measures each contender beside the baselines.
///
/// The machine changes its speed while we measure. So a ratio is always taken between samples of one round, which lie
/// next to each other, and the order turns from round to round. The median of the ratios stands more still than the
/// ratio of the medians.
///
/// - Returns: The baselines, without ratios, and then the contenders.
func compare(
  _ contenders: [Side], to baselines: [Side], rounds: Int, effort: Effort
) throws -> [Comparison] {
  let baselineRuns = try baselines.map { try runs(of: $0, effort) }
  var baselineSeconds = baselines.map { _ in [Double]() }
  var results: [Comparison] = []
  for contender in contenders {
    let sides = baselines + [contender]
    let counts = baselineRuns + [try runs(of: contender, effort)]
    var samples = sides.map { _ in [Double]() }
    for round in 0..<rounds {
      for turn in sides.indices {
        let side = (turn + round) % sides.count
        samples[side].append(try seconds(perRunOf: counts[side], sides[side].run))
      }
    }
    let own = samples[baselines.count]
    let ratios = baselines.indices.map { baseline in Spread(zip(samples[baseline], own).map { $0 / $1 }) }
    results.append(Comparison(name: contender.name, seconds: Spread(own), ratios: ratios))
    for baseline in baselines.indices { baselineSeconds[baseline] += samples[baseline] }
  }
  let measured = zip(baselines, baselineSeconds).map { Comparison(name: $0.name, seconds: Spread($1), ratios: []) }
  return measured + results
}

/// How many runs make a sample. Warms caches on the way.
private func runs(of side: Side, _ effort: Effort) throws -> Int {
  var count = 1
  while true {
    let time = try seconds(perRunOf: count, side.run) * Double(count)
    if time >= effort.sampleSeconds { return count }
    // At most eightfold: the first run is cold and says little.
    let factor = effort.sampleSeconds / max(time, 1e-9) * 1.1
    count = max(count + 1, Int(Double(count) * min(factor, 8)))
  }
}
