import Foundation
import JSONSift

/// A folder of simulated files, and the faults that its system calls have. A fault depends on the seed, the file, the call and
/// how often it was called, and not on time or threads: the same seed repeats a run.
///
/// Unchecked `Sendable`: the lock protects all state.
package final class SimulatedWorld: @unchecked Sendable {
  let lock = NSLock()
  let seed: UInt64
  var number = 0
  var files: [Int: File] = [:]
  var names: [String: Int] = [:]
  var links: [String: String] = [:]
  var opened: [Int32: Opened] = [:]
  var lastDescriptor: Int32 = 0
  var lastFile = 0
  private var steps = 0
  var isFolderChanged = false
  /// The number of the calls for names that do not exist.
  private var callsWithoutFile = 0

  /// The calls that a signal interrupts at times, and those that transfer fewer bytes than they could.
  package var interrupted: Set<Call> = []
  package var short: Set<Call> = []
  package var rules: [Rule] = []
  /// The free bytes of the disk.
  package var free = Int.max
  /// The changes of the file `input`, each with the number of calls before it, from the last change on.
  package var changes: [(after: Int, change: Change)] = []
  /// A change of the output or of the rejects, and the number of calls before it.
  package var foreignChange: (after: Int, change: ForeignChange)?
  /// Called before the call with a number.
  package var atStep: (number: Int, body: @Sendable () -> Void)?
  /// The number of the call from which on all calls fail, as if the program had been killed.
  package var endsAtStep: Int?
  /// Called when a stalled pipe is polled.
  package var atStall: (@Sendable () -> Void)?

  /// The faults that have happened and that the program cannot repair: those that a run must report, and those that it may.
  package private(set) var mustReport: [String] = []
  package private(set) var mayReport: [String] = []
  /// What no program may do: use a closed descriptor, replace a file by one that is not on the disk.
  package internal(set) var offences: [String] = []
  package internal(set) var readings: [Reading] = []
  /// The files that were emptied while they were read.
  package private(set) var emptied: Set<Int> = []
  package internal(set) var faultCounts: [String: Int] = [:]
  /// The output that another process has left: the outer value is `nil` if it has not changed, the inner one if there is none.
  package private(set) var foreignOutput: [UInt8]??
  /// The number of bytes that another process has removed from the rejects.
  package private(set) var removedRejects = 0
  /// Whether an output has got its final name.
  var isRenamed = false
  /// Whether the next change waits until the input is opened again, and the number of readings at the last change.
  private var waitsForOpen = false
  private var readingsAtChange = 0

  package init(seed: UInt64) {
    self.seed = seed
    number = SimulatedSystem.shared.add(self)
  }

  /// Ends the world. Returns the number of descriptors that are still open.
  package func end() -> Int {
    SimulatedSystem.shared.remove(number)
    return lock.withLock { opened.count }
  }

  package func path(_ name: String) -> String { "/simulated/\(number)/\(name)" }

  @discardableResult
  package func add(
    _ name: String, _ bytes: [UInt8], _ role: Role, kind: File.Kind = .regular, chunks: [Int] = [], stalls: Bool = false
  ) -> Int {
    lock.withLock {
      create(name, File(kind: kind, bytes: bytes, role: role, number: 0, chunks: chunks, stalls: stalls))
    }
  }

  /// Replaces the bytes of a file.
  package func write(_ bytes: [UInt8], to name: String) {
    lock.withLock {
      guard let number = names[name] else { return }
      files[number]?.bytes = bytes
      files[number]?.modified += 1
    }
  }

  package func move(_ name: String, to other: String) {
    lock.withLock {
      names[other] = names[name]
      names[name] = nil
    }
  }

  package func link(_ name: String, to target: String) { lock.withLock { links[name] = target } }

  package func file(_ name: String) -> File? { lock.withLock { names[links[name] ?? name].flatMap { files[$0] } } }

  package func bytes(ofFile number: Int) -> [UInt8] { lock.withLock { files[number]?.bytes ?? [] } }

  package var allNames: [String] { lock.withLock { names.keys.sorted() } }
  package var openCount: Int { lock.withLock { opened.count } }
  package var stepCount: Int { lock.withLock { steps } }
  package var isChangedSinceSynchronized: Bool { lock.withLock { isFolderChanged } }
  package var hasPendingChanges: Bool { lock.withLock { !changes.isEmpty } }

  func create(_ name: String, _ file: File) -> Int {
    lastFile += 1
    var file = file
    file.number = lastFile
    files[lastFile] = file
    names[name] = lastFile
    return lastFile
  }

  // MARK: Faults

  private func random(_ file: Int, _ call: Call, _ count: Int) -> UInt64 {
    var generator = SeededGenerator(seed: seed ^ UInt64(file) << 48 ^ UInt64(call.rawValue) << 40 ^ UInt64(count))
    _ = generator.next()
    return generator.next()
  }

  /// Begins a call: applies changes, and returns the error of the call, or 0. `body` runs with the lock held.
  func call(
    _ call: Call, _ descriptor: Int32?, named name: String? = nil, allowing hard: Bool = true,
    _ body: (_ file: Int, _ random: UInt64) -> Int
  ) -> Int {
    var action: (@Sendable () -> Void)?
    lock.lock()
    steps += 1
    if let atStep, atStep.number == steps { action = atStep.body }
    lock.unlock()
    action?()
    lock.lock()
    defer { lock.unlock() }
    if let endsAtStep, steps >= endsAtStep {
      if call == .close, let descriptor { opened[descriptor] = nil }
      return -Int(EIO)
    }
    change()
    changeOutput()
    if let descriptor, opened[descriptor] == nil {
      offences.append("\(call) of a closed descriptor")
      return -Int(EBADF)
    }
    let number = descriptor.flatMap { opened[$0]?.file } ?? name.flatMap { names[links[$0] ?? $0] } ?? 0
    files[number]?.calls[call.rawValue] += 1
    if files[number] == nil { callsWithoutFile += 1 }
    let count = files[number]?.calls[call.rawValue] ?? callsWithoutFile
    let role = files[number]?.role ?? Self.role(ofNew: name ?? "")
    for rule in rules where rule.call == call && rule.role == role && hard {
      guard rule.repeats ? count >= rule.number : count == rule.number || number == 0 else { continue }
      note(call, role, rule.error)
      // The descriptor is closed whatever `close` returns.
      if call == .close { _ = body(number, 0) }
      return -Int(rule.error)
    }
    let random = random(number, call, count)
    if interrupted.contains(call), random % 4 == 0 {
      faultCounts["\(call) EINTR", default: 0] += 1
      if call == .close { _ = body(number, 0) }
      return -Int(EINTR)
    }
    return body(number, random >> 8)
  }

  static func role(ofNew name: String) -> Role {
    name.isEmpty ? .folder : name.contains("out") ? .output : name.contains("rejects") ? .rejects : .input
  }

  /// Sorts an error into those that a run must report, and those that need not change its results.
  func note(_ call: Call, _ role: Role, _ error: Int32) {
    faultCounts["\(call) \(error)", default: 0] += 1
    let text = "\(call) of the \(role): error \(error)"
    let isEssential =
      switch (call, role) {
      case (.open, .folder), (.close, .folder), (.close, .input): false
      case (.synchronize, _): error != EINVAL && error != EROFS
      case (.open, _), (.read, _), (.write, _), (.close, _), (.rename, _), (.truncate, _): true
      default: false
      }
    if isEssential { mustReport.append(text) } else { mayReport.append(text) }
  }

  /// Applies the next change, if it is due.
  private func change() {
    guard let next = changes.first, let number = names["input"] else { return }
    guard next.after <= 0 else {
      changes[0].after -= 1
      return
    }
    // A file that was replaced is opened again before it changes again: what is written and removed in between is never
    // there for a reader.
    guard opened.values.contains(where: { $0.file == number }) else { return }
    if waitsForOpen {
      guard readings.last?.file == number, readings.count > readingsAtChange else { return }
      waitsForOpen = false
    }
    changes.removeFirst()
    faultCounts["input changes", default: 0] += 1
    switch next.change {
    case .append(let bytes): files[number]?.bytes += bytes
    case .shrink(let size): cut(number, to: size)
    case .rotate(let last, let bytes):
      files[number]?.bytes += last
      _ = create("input", File(kind: .regular, bytes: bytes, role: .input, number: 0))
      (waitsForOpen, readingsAtChange) = (true, readings.count)
    case .rewrite(let bytes):
      // Only a file that is shorter than what was read can be recognized.
      guard bytes.count < opened.values.first(where: { $0.file == number })?.position ?? 0 else { return }
      files[number]?.bytes = bytes
      emptied.insert(number)
      (waitsForOpen, readingsAtChange) = (true, readings.count)
    }
  }

  /// Applies the change of the output or of the rejects, if it is due and possible.
  private func changeOutput() {
    guard let next = foreignChange else { return }
    guard next.after <= 0 else {
      foreignChange?.after -= 1
      return
    }
    let name = links["out"] ?? "out"
    switch next.change {
    case .rejectsEmptied:
      guard let number = names["rejects"], let count = files[number]?.bytes.count, count > 0 else { return }
      files[number]?.bytes = []
      removedRejects = count
    case .temporaryRemoved:
      guard let part = names.keys.first(where: { $0.hasSuffix(".part") }) else { return }
      names[part] = nil
      mustReport.append("the temporary file was removed")
    // After the renaming the output belongs to the run.
    case _ where isRenamed: return
    case .outputRewritten(let bytes):
      guard let number = names[name] else { return }
      files[number]?.bytes = bytes
      foreignOutput = bytes
    case .outputReplaced(let bytes):
      _ = create(name, File(kind: .regular, bytes: bytes, role: .output, number: 0))
      foreignOutput = bytes
    case .outputRemoved:
      guard names[name] != nil else { return }
      names[name] = nil
      foreignOutput = .some(nil)
    }
    faultCounts["output changes", default: 0] += 1
    foreignChange = nil
  }

  func cut(_ number: Int, to size: Int) {
    guard let count = files[number]?.bytes.count, size < count else { return }
    files[number]?.bytes.removeLast(count - size)
  }

  func name(_ path: [UInt8]) -> String {
    let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.count > 3 ? String(decoding: parts[3], as: UTF8.self) : ""
  }
}
