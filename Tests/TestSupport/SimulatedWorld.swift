import Foundation
import JSONSift

/// A folder of simulated files, and the faults that its system calls have. A fault depends on the seed, the file, the call and
/// how often it was called, and not on time or threads: the same seed repeats a run.
///
/// Unchecked `Sendable`: the lock protects all state.
package final class SimulatedWorld: @unchecked Sendable {
  private let lock = NSLock()
  private let seed: UInt64
  private var number = 0
  private var files: [Int: File] = [:]
  private var names: [String: Int] = [:]
  private var links: [String: String] = [:]
  private var opened: [Int32: Opened] = [:]
  private var lastDescriptor: Int32 = 0
  private var lastFile = 0
  private var steps = 0
  private var isFolderChanged = false
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
  /// Called when a stalled pipe is polled.
  package var atStall: (@Sendable () -> Void)?

  /// The faults that have happened and that the program cannot repair: those that a run must report, and those that it may.
  package private(set) var mustReport: [String] = []
  package private(set) var mayReport: [String] = []
  /// What no program may do: use a closed descriptor, replace a file by one that is not on the disk.
  package private(set) var offences: [String] = []
  package private(set) var readings: [Reading] = []
  /// The files that were emptied while they were read.
  package private(set) var emptied: Set<Int> = []
  package private(set) var faultCounts: [String: Int] = [:]
  /// The output that another process has left: the outer value is `nil` if it has not changed, the inner one if there is none.
  package private(set) var foreignOutput: [UInt8]??
  /// The number of bytes that another process has removed from the rejects.
  package private(set) var removedRejects = 0
  /// Whether an output has got its final name.
  private var isRenamed = false

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

  package func link(_ name: String, to target: String) { lock.withLock { links[name] = target } }

  package func file(_ name: String) -> File? { lock.withLock { names[links[name] ?? name].flatMap { files[$0] } } }

  package func bytes(ofFile number: Int) -> [UInt8] { lock.withLock { files[number]?.bytes ?? [] } }

  package var allNames: [String] { lock.withLock { names.keys.sorted() } }
  package var openCount: Int { lock.withLock { opened.count } }
  package var stepCount: Int { lock.withLock { steps } }
  package var isChangedSinceSynchronized: Bool { lock.withLock { isFolderChanged } }
  package var hasPendingChanges: Bool { lock.withLock { !changes.isEmpty } }

  private func create(_ name: String, _ file: File) -> Int {
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
  private func call(
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

  private static func role(ofNew name: String) -> Role {
    name.isEmpty ? .folder : name.contains("out") ? .output : name.contains("rejects") ? .rejects : .input
  }

  /// Sorts an error into those that a run must report, and those that need not change its results.
  private func note(_ call: Call, _ role: Role, _ error: Int32) {
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

  private func cut(_ number: Int, to size: Int) {
    guard let count = files[number]?.bytes.count, size < count else { return }
    files[number]?.bytes.removeLast(count - size)
  }

  private var waitsForOpen = false
  private var readingsAtChange = 0

  private func name(_ path: [UInt8]) -> String {
    let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.count > 3 ? String(decoding: parts[3], as: UTF8.self) : ""
  }

  // MARK: Calls

  func open(_ path: [UInt8], _ flags: Int32) -> Int {
    let name = name(path)
    return call(.open, nil, named: name) { found, _ in
      var number = found
      if name.isEmpty {
        number = lastFile + 1
        lastFile += 1
        files[number] = File(kind: .folder, bytes: [], role: .folder, number: number)
      } else if flags & O_CREAT != 0 {
        if number != 0, flags & O_EXCL != 0 { return -Int(EEXIST) }
        if number == 0 {
          number = create(
            links[name] ?? name, File(kind: .regular, bytes: [], role: Self.role(ofNew: name), number: 0))
        }
        if flags & O_TRUNC != 0 { files[number]?.bytes = [] }
      }
      guard let file = files[number] else { return -Int(ENOENT) }
      var handle = Opened(
        file: number, isNonblocking: flags & O_NONBLOCK != 0, isWriting: flags & O_ACCMODE != O_RDONLY)
      if !handle.isWriting, file.role == .input {
        handle.reading = readings.count
        readings.append(Reading(name: name, file: number))
      }
      return Int(register(handle))
    }
  }

  private func register(_ handle: Opened) -> Int32 {
    lastDescriptor = (lastDescriptor + 1) % SimulatedSystem.descriptorsOfWorld
    let descriptor =
      System.firstSimulatedDescriptor + Int32(number) * SimulatedSystem.descriptorsOfWorld + lastDescriptor
    opened[descriptor] = handle
    return descriptor
  }

  func close(_ descriptor: Int32) -> Int {
    call(.close, descriptor) { _, _ in
      opened[descriptor] = nil
      return 0
    }
  }

  func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int?) -> Int {
    call(.read, descriptor) { number, random in
      guard var handle = opened[descriptor], var file = files[number] else { return -Int(EBADF) }
      defer {
        opened[descriptor] = handle
        files[number]?.arrived = file.arrived
        files[number]?.chunks = file.chunks
      }
      let start = offset ?? handle.position
      var end = file.bytes.count
      if file.kind == .pipe {
        if file.arrived <= start, file.arrived < end || file.stalls {
          if handle.isNonblocking {
            faultCounts["read EAGAIN", default: 0] += 1
            return -Int(EAGAIN)
          }
          file.arrive()
        }
        end = file.arrived
      }
      var count = min(buffer.count, max(end - start, 0))
      if short.contains(.read), count > 1, random % 2 == 0 {
        count = 1 + Int(random >> 1) % count
        faultCounts["read short", default: 0] += 1
      }
      unsafe file.bytes.withUnsafeBytes {
        if count > 0 { unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)])) }
      }
      if offset == nil { handle.position += count }
      if let reading = handle.reading, buffer.count > 0, offset == nil {
        if readings[reading].begin == nil { readings[reading].begin = start }
        if count > 0 { readings[reading].bytes += file.bytes[start..<(start + count)] }
        readings[reading].sawEnd = count == 0
      }
      return count
    }
  }

  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    call(.write, descriptor) { number, random in
      // No copy of the file: appending must not copy its bytes.
      guard var handle = opened[descriptor], let size = files[number]?.bytes.count, let role = files[number]?.role
      else {
        return -Int(EBADF)
      }
      let isPipe = files[number]?.kind == .pipe
      if isPipe, files[number]?.hasRoom == false {
        faultCounts["write EAGAIN", default: 0] += 1
        return -Int(EAGAIN)
      }
      var count = bytes.count
      if short.contains(.write), count > 1, random % 2 == 0 {
        count = 1 + Int(random >> 1) % count
        faultCounts["write short", default: 0] += 1
      }
      if count > free {
        count = free
        if count == 0, bytes.count > 0 {
          note(.write, role, ENOSPC)
          return -Int(ENOSPC)
        }
      }
      free -= count
      let new = unsafe bytes[..<count]
      let start = isPipe ? size : handle.position
      if start > size { files[number]?.bytes += [UInt8](repeating: 0, count: start - size) }
      unsafe files[number]?.bytes.replaceSubrange(start..<max(min(start + count, size), start), with: new)
      handle.position = start + count
      opened[descriptor] = handle
      // The other end of a pipe empties it when the writer waits.
      if isPipe, short.contains(.write) { files[number]?.hasRoom = random >> 40 & 1 == 0 }
      return count
    }
  }

  func seek(_ descriptor: Int32, _ offset: Int, from origin: Int32) -> Int {
    call(.seek, descriptor) { number, _ in
      guard let handle = opened[descriptor], files[number]?.kind == .regular else { return -Int(ESPIPE) }
      opened[descriptor]?.position = offset + (origin == Int32(SEEK_CUR) ? handle.position : 0)
      return opened[descriptor]?.position ?? 0
    }
  }

  func status(_ descriptor: Int32, _ status: inout FileStatus) -> Int {
    var found = FileStatus()
    let result = call(.status, descriptor) { number, _ in
      files[number].map { found = $0.status }
      return 0
    }
    if result >= 0 { status = found }
    return result
  }

  func status(at path: [UInt8], _ status: inout FileStatus) -> Int {
    var found = FileStatus()
    let result = call(.status, nil, named: name(path)) { number, _ in
      guard let file = files[number] else { return -Int(ENOENT) }
      found = file.status
      return 0
    }
    if result >= 0 { status = found }
    return result
  }

  func truncate(_ descriptor: Int32, to size: Int) -> Int {
    call(.truncate, descriptor) { number, _ in
      cut(number, to: size)
      return 0
    }
  }

  func synchronize(_ descriptor: Int32) -> Int {
    call(.synchronize, descriptor) { number, _ in
      if files[number]?.kind == .folder { isFolderChanged = false }
      let bytes = files[number]?.bytes
      files[number]?.synchronized = bytes
      return 0
    }
  }

  func setPermissions(_ descriptor: Int32, _ permissions: UInt32) -> Int {
    call(.permissions, descriptor) { number, _ in
      files[number]?.permissions = permissions
      return 0
    }
  }

  func rename(_ path: [UInt8], to target: [UInt8]) -> Int {
    call(.rename, nil, named: name(path)) { number, _ in
      guard let file = files[number] else { return -Int(ENOENT) }
      let isSafe = file.synchronized == file.bytes || mayReport.contains { $0.hasPrefix("synchronize") }
      if !isSafe { offences.append("a file was renamed before its bytes were on the disk") }
      names[name(path)] = nil
      names[name(target)] = number
      links[name(target)] = nil
      isFolderChanged = true
      isRenamed = true
      return 0
    }
  }

  func remove(_ path: [UInt8]) -> Int {
    call(.remove, nil, named: name(path)) { _, _ in
      names[name(path)] = nil
      return 0
    }
  }

  func readLink(_ path: [UInt8], _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    call(.link, nil, named: name(path)) { _, _ in
      guard let target = links[name(path)] else { return -Int(EINVAL) }
      unsafe buffer.copyBytes(from: target.utf8)
      return target.utf8.count
    }
  }

  func resolve(_ path: [UInt8]) -> [UInt8]? {
    var found = path
    let result = call(.link, nil, named: name(path)) { _, _ in
      if let target = links[name(path)] { found = Array(self.path(target).utf8) }
      return 0
    }
    return result >= 0 ? found : nil
  }

  func map(_ descriptor: Int32, _ count: Int) -> UnsafeRawBufferPointer? {
    var mapping: UnsafeRawBufferPointer?
    let result = call(.map, descriptor) { number, _ in
      // The owner returns the memory to the system.
      let flags = Int32(MAP_PRIVATE) | Int32(MAP_ANONYMOUS)
      guard let address = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0), unsafe address != MAP_FAILED
      else { return -Int(ENOMEM) }
      let room = unsafe UnsafeMutableRawBufferPointer(start: address, count: count)
      unsafe room.copyBytes(from: files[number]?.bytes.prefix(count) ?? [])
      unsafe mapping = UnsafeRawBufferPointer(room)
      return 0
    }
    return unsafe result >= 0 ? mapping : nil
  }

  func pause(_ descriptor: Int32) { _ = call(.pause, descriptor) { _, _ in 0 } }

  /// Returns the error of a call of `poll`, or 0.
  func beginPoll(_ descriptor: Int32, isShared: Bool) -> Int32 {
    let result = call(.poll, descriptor, allowing: !isShared) { _, _ in 0 }
    // A closed descriptor is an event, and not an error.
    return result < 0 && result != -Int(EBADF) ? Int32(-result) : 0
  }

  func events(of entry: PollEntry) -> Int16 {
    var stall: (@Sendable () -> Void)?
    defer { stall?() }
    return lock.withLock {
      guard let handle = opened[entry.fd], let file = files[handle.file] else { return Int16(POLLNVAL) }
      if file.kind != .pipe { return entry.events }
      if Int32(entry.events) & POLLOUT != 0 {
        if file.hasRoom { return Int16(POLLOUT) }
        files[handle.file]?.hasRoom = true
        return 0
      }
      if file.arrived > handle.position || file.arrived == file.bytes.count && !file.stalls { return Int16(POLLIN) }
      // The system may be wrong: then a read finds no bytes.
      if handle.isNonblocking, !file.wasReadyWithoutBytes, !file.stalls, seed & 1 == 0 {
        files[handle.file]?.wasReadyWithoutBytes = true
        return Int16(POLLIN)
      }
      if file.arrived < file.bytes.count { files[handle.file]?.arrive() } else { stall = atStall }
      return 0
    }
  }
}
