import Foundation
import JSONSift

/// One run of ``FaultRun``: its world, what it does, and the check of its results.
struct FaultScenario {
  let world: SimulatedWorld
  let kind: FaultRun.Kind
  let input: [UInt8]
  let old = Array("the old output\n".utf8)
  let isPipe: Bool
  let outputKind: OutputKind
  /// The number of elements after which the reader is released; `nil` if it reads to the end.
  let stop: Int?
  let workers: Int
  let choice: Int
  /// The number of elements between two writes, and the elements whose worker is late.
  let batch: Int
  let late: Int

  enum OutputKind: Int { case missing, existing, linked, danglingLink, pipe }

  /// What a run has returned.
  struct Found {
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
}
