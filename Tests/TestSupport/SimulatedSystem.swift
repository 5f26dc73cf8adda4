import Foundation
import JSONSift

/// The system calls of all simulated worlds: finds the world of a path or a descriptor, and passes the call on.
///
/// Unchecked `Sendable`: the lock protects the table of worlds.
package final class SimulatedSystem: SystemCalls, @unchecked Sendable {
  /// Installed when it is used first.
  package static let shared: SimulatedSystem = {
    let system = SimulatedSystem()
    unsafe System.simulation = system
    return system
  }()

  private let lock = NSLock()
  private var worlds: [Int: SimulatedWorld] = [:]
  private var nextNumber = 0

  /// The number of descriptors that each world has.
  static let descriptorsOfWorld: Int32 = 1 << 12
  /// The number of worlds that exist at a time.
  private static let maxWorlds = 1 << 16

  /// Adds a world, and returns its number.
  func add(_ world: SimulatedWorld) -> Int {
    lock.withLock {
      while worlds[nextNumber] != nil { nextNumber = (nextNumber + 1) % Self.maxWorlds }
      defer { nextNumber = (nextNumber + 1) % Self.maxWorlds }
      worlds[nextNumber] = world
      return nextNumber
    }
  }

  func remove(_ number: Int) { lock.withLock { worlds[number] = nil } }

  private func world(of descriptor: Int32) -> SimulatedWorld? {
    let number = Int(descriptor - System.firstSimulatedDescriptor) / Int(Self.descriptorsOfWorld)
    return lock.withLock { worlds[number] }
  }

  /// The world of a path `/simulated/NUMBER/NAME`.
  private func world(of path: [UInt8]) -> SimulatedWorld? {
    let rest = path.dropFirst(System.simulatedFolder.count).prefix { $0 != UInt8(ascii: "/") }
    return Int(String(decoding: rest, as: UTF8.self)).flatMap { number in lock.withLock { worlds[number] } }
  }

  package func open(_ path: [UInt8], _ flags: Int32, permissions: UInt32) -> Int {
    world(of: path)?.open(path, flags) ?? -Int(ENOENT)
  }

  package func close(_ descriptor: Int32) -> Int { world(of: descriptor)?.close(descriptor) ?? -Int(EBADF) }

  package func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe world(of: descriptor)?.read(descriptor, buffer, at: nil) ?? -Int(EBADF)
  }

  package func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    unsafe world(of: descriptor)?.read(descriptor, buffer, at: offset) ?? -Int(EBADF)
  }

  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe world(of: descriptor)?.write(descriptor, bytes) ?? -Int(EBADF)
  }

  package func seek(_ descriptor: Int32, _ offset: Int, from origin: Int32) -> Int {
    world(of: descriptor)?.seek(descriptor, offset, from: origin) ?? -Int(EBADF)
  }

  package func status(_ descriptor: Int32, _ status: inout FileStatus) -> Int {
    world(of: descriptor)?.status(descriptor, &status) ?? -Int(EBADF)
  }

  package func status(at path: [UInt8], _ status: inout FileStatus) -> Int {
    world(of: path)?.status(at: path, &status) ?? -Int(ENOENT)
  }

  package func truncate(_ descriptor: Int32, to size: Int) -> Int {
    world(of: descriptor)?.truncate(descriptor, to: size) ?? -Int(EBADF)
  }

  package func synchronize(_ descriptor: Int32) -> Int {
    world(of: descriptor)?.synchronize(descriptor) ?? -Int(EBADF)
  }

  package func setPermissions(_ descriptor: Int32, _ permissions: UInt32) -> Int {
    world(of: descriptor)?.setPermissions(descriptor, permissions) ?? -Int(EBADF)
  }

  package func rename(_ path: [UInt8], to target: [UInt8]) -> Int {
    world(of: path)?.rename(path, to: target) ?? -Int(ENOENT)
  }

  package func remove(_ path: [UInt8]) -> Int { world(of: path)?.remove(path) ?? -Int(ENOENT) }

  package func readLink(_ path: [UInt8], _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe world(of: path)?.readLink(path, buffer) ?? -Int(ENOENT)
  }

  package func resolve(_ path: [UInt8]) -> [UInt8]? { world(of: path)?.resolve(path) }

  package func entries(of folder: [UInt8]) -> [FolderEntry] {
    world(of: folder)?.allNames.map { FolderEntry(Array($0.utf8), isFolder: false) } ?? []
  }

  // No simulated program runs beside another one.
  package func lock(_ descriptor: Int32) -> Int { 0 }

  package func map(_ descriptor: Int32, _ count: Int) -> UnsafeRawBufferPointer? {
    unsafe world(of: descriptor)?.map(descriptor, count)
  }

  package func pause(nanoseconds: Int, for descriptor: Int32) { world(of: descriptor)?.pause(descriptor) }

  /// Asks each world about its descriptors, and the system about the others, until one of them is ready.
  package func poll(_ entries: UnsafeMutableBufferPointer<PollEntry>, milliseconds: Int32) -> Int {
    for index in entries.indices {
      // Other descriptors belong to other tests, which must not see an error.
      let failure = unsafe world(of: entries[index].fd)?.beginPoll(entries[index].fd, isShared: entries.count > 1) ?? 0
      if failure != 0 { return -Int(failure) }
    }
    var rounds = 0
    while true {
      var ready = 0
      var others: [PollEntry] = []
      for index in entries.indices {
        unsafe entries[index].revents = 0
        guard unsafe entries[index].fd >= System.firstSimulatedDescriptor else {
          unsafe others.append(entries[index])
          continue
        }
        let entry = unsafe entries[index]
        unsafe entries[index].revents = world(of: entry.fd)?.events(of: entry) ?? Int16(POLLNVAL)
        if unsafe entries[index].revents != 0 { ready += 1 }
      }
      if !others.isEmpty {
        // A descriptor that is never ready must not occupy the processor.
        let patience: Int32 = ready > 0 || milliseconds == 0 || rounds < 50 ? 0 : 1
        ready += unsafe others.withUnsafeMutableBufferPointer {
          unsafe max(OperatingSystem().poll($0, milliseconds: patience), 0)
        }
        var next = others.makeIterator()
        for index in entries.indices where unsafe entries[index].fd < System.firstSimulatedDescriptor {
          unsafe entries[index].revents = next.next()?.revents ?? 0
        }
      }
      if ready > 0 || milliseconds == 0 { return ready }
      rounds += 1
    }
  }
}
