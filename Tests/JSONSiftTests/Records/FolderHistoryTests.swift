import Foundation
import JSONSift
import TestSupport
import Testing

/// `JSONRecords(folder:state:)` in simulated worlds, in which programs are killed at any system call.
@Suite struct FolderHistoryTests {
  /// A log to which what happens to logs happens.
  private struct Log {
    let world: SimulatedWorld
    var events: [String] = []
    private var rotations = 0
    private(set) var lines = NumberedLines()

    init(_ random: inout SeededGenerator) { world = SimulatedWorld(seed: random.next()) }

    private func bytes(_ name: String) -> [UInt8] { world.file(name)?.bytes ?? [] }

    mutating func change(_ random: inout SeededGenerator) {
      rotations += 1
      let kind = world.file("app.log") == nil ? 5 : random.below(6)
      events.append("\(kind)")
      switch kind {
      case 0: world.move("app.log", to: "app.log.\(rotations)")
      case 1:
        world.add("app.log.\(rotations)", bytes("app.log"), .input)
        world.write([], to: "app.log")
      default: append(&random)
      }
      if kind < 2 { lines.beginFile() }
    }

    mutating func append(_ random: inout SeededGenerator) {
      if world.file("app.log") == nil { world.add("app.log", [], .input) }
      let text = lines.text([2, 4, 700], &random)
      world.write(bytes("app.log") + Array(text.utf8), to: "app.log")
    }

    /// Ends all last lines, so that none waits.
    func finish() {
      for name in world.allNames where name.hasPrefix("app.log") { world.write(bytes(name) + [0x0A], to: name) }
    }
  }

  @Test func `whatever happens to files, and wherever programs are killed, each record is returned`() async throws {
    var random = SeededGenerator.announced()
    let rounds = (ProcessInfo.processInfo.environment["JSONSIFT_TEST_ROUNDS"].flatMap { Int($0) } ?? 1000) / 10
    var kills = 0
    for _ in 0..<rounds {
      var log = Log(&random)
      let world = log.world
      var (seen, saved): (Set<Int>, Set<Int>) = ([], [])
      log.append(&random)
      let runs = random.below(8) + 2
      for run in 0...runs {
        if run == runs { log.finish() } else { log.change(&random) }
        guard run == runs || random.below(3) > 0 else { continue }
        let end = run == runs || random.below(2) == 0 ? .max : world.stepCount + random.below(60)
        world.endsAtStep = end
        log.events.append("read \(end == .max ? "all" : "\(end - world.stepCount)")")
        var waiting: [Int] = []
        let records = JSONRecords(folder: world.path("app.log*"), state: world.path("state"))
        do {
          for try await record in records {
            // What a program returns that was killed nobody gets.
            guard world.stepCount < end else { continue }
            let id = record["id"].intValue
            #expect(!saved.contains(id), "\(id) \(log.events) \(random)")
            seen.insert(id)
            waiting.append(id)
            guard random.below(20) == 0 else { continue }
            try records.saveState(after: record)
            saved.formUnion(waiting)
            waiting = []
          }
          saved.formUnion(waiting)
        } catch let error as JSONError {
          #expect(world.stepCount >= end, "\(error.message) \(log.events) \(random)")
          kills += 1
        }
        world.endsAtStep = nil
      }
      #expect(seen == Set(0..<log.lines.next), "\(Set(0..<log.lines.next).subtracting(seen)) \(log.events) \(random)")
      #expect(world.offences == [] && world.end() == 0, "\(log.events) \(random)")
    }
    #expect(kills > rounds / 10)
  }
}
