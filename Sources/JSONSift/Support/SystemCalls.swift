/// The system calls for files and pipes that ``File``, ``ReplacementFile`` and ``DescriptorWaiter`` need.
///
/// A call that fails returns the negated value of `errno`, as the kernel does. So no other call can change the number before
/// it is read.
package protocol SystemCalls: Sendable {
  /// Opens a file, and returns its descriptor.
  func open(_ path: [UInt8], _ flags: Int32) -> Int
  func close(_ descriptor: Int32) -> Int
  func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int
  func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
  /// Moves the position of the descriptor, and returns the new one. `origin` is a constant such as `SEEK_CUR`.
  func seek(_ descriptor: Int32, _ offset: Int, from origin: Int32) -> Int
  func status(_ descriptor: Int32, _ status: inout FileStatus) -> Int
  /// Follows symbolic links.
  func status(at path: [UInt8], _ status: inout FileStatus) -> Int
  func truncate(_ descriptor: Int32, to size: Int) -> Int
  func synchronize(_ descriptor: Int32) -> Int
  func setPermissions(_ descriptor: Int32, _ permissions: UInt32) -> Int
  /// Waits until a descriptor can be used, and returns the number of those that can. -1 milliseconds is any time.
  func poll(_ entries: UnsafeMutableBufferPointer<PollEntry>, milliseconds: Int32) -> Int
  func rename(_ path: [UInt8], to target: [UInt8]) -> Int
  func remove(_ path: [UInt8]) -> Int
  /// Reads the target of a symbolic link, and returns its length.
  func readLink(_ path: [UInt8], _ buffer: UnsafeMutableRawBufferPointer) -> Int
  /// Returns the path without symbolic links; `nil` if the system cannot find it.
  func resolve(_ path: [UInt8]) -> [UInt8]?
  /// Maps the first bytes of a file; returns `nil` if the system refuses.
  func map(_ descriptor: Int32, _ count: Int) -> UnsafeRawBufferPointer?
  /// Blocks the calling thread for a time, or until a signal arrives. `descriptor` is the file that the caller waits for.
  func pause(nanoseconds: Int, for descriptor: Int32)
}

/// The part of a file's status that the library uses.
package struct FileStatus: Sendable {
  package enum Kind: Sendable { case regular, folder, other }

  package var kind = Kind.other
  package var size = 0
  package var permissions: UInt32 = 0
  package var device: UInt64 = 0
  package var inode: UInt64 = 0

  package init() {}

  package func isSameFile(as other: FileStatus) -> Bool { inode == other.inode && device == other.device }
}

/// Passes each call to the operating system, or to the simulation that a test has installed.
///
/// A simulation owns descriptors from 2³⁰ on, which no system returns, and the paths below `/simulated/`. A program that
/// installs none compares one number before each call.
package enum System {
  /// Set once, before a simulated file is opened.
  nonisolated(unsafe) package static var simulation: (any SystemCalls)?

  package static let firstSimulatedDescriptor: Int32 = 1 << 30
  package static let simulatedFolder = Array("/simulated/".utf8)

  private static let system = OperatingSystem()

  /// The simulation that owns a descriptor.
  @inline(__always)
  private static func simulation(of descriptor: Int32) -> (any SystemCalls)? {
    descriptor < firstSimulatedDescriptor ? nil : unsafe simulation
  }

  private static func simulation(at path: [UInt8]) -> (any SystemCalls)? {
    guard let simulation = unsafe simulation, path.starts(with: simulatedFolder) else { return nil }
    return simulation
  }

  static func open(_ path: [UInt8], _ flags: Int32) -> Int {
    simulation(at: path)?.open(path, flags) ?? system.open(path, flags)
  }

  static func close(_ descriptor: Int32) -> Int {
    simulation(of: descriptor)?.close(descriptor) ?? system.close(descriptor)
  }

  static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe simulation(of: descriptor)?.read(descriptor, buffer) ?? system.read(descriptor, buffer)
  }

  static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    unsafe simulation(of: descriptor)?.read(descriptor, buffer, at: offset)
      ?? system.read(descriptor, buffer, at: offset)
  }

  static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe simulation(of: descriptor)?.write(descriptor, bytes) ?? system.write(descriptor, bytes)
  }

  static func seek(_ descriptor: Int32, _ offset: Int, from origin: Int32) -> Int {
    simulation(of: descriptor)?.seek(descriptor, offset, from: origin)
      ?? system.seek(descriptor, offset, from: origin)
  }

  static func status(_ descriptor: Int32, _ status: inout FileStatus) -> Int {
    simulation(of: descriptor)?.status(descriptor, &status) ?? system.status(descriptor, &status)
  }

  static func status(at path: [UInt8], _ status: inout FileStatus) -> Int {
    simulation(at: path)?.status(at: path, &status) ?? system.status(at: path, &status)
  }

  static func truncate(_ descriptor: Int32, to size: Int) -> Int {
    simulation(of: descriptor)?.truncate(descriptor, to: size) ?? system.truncate(descriptor, to: size)
  }

  static func synchronize(_ descriptor: Int32) -> Int {
    simulation(of: descriptor)?.synchronize(descriptor) ?? system.synchronize(descriptor)
  }

  static func setPermissions(_ descriptor: Int32, _ permissions: UInt32) -> Int {
    simulation(of: descriptor)?.setPermissions(descriptor, permissions)
      ?? system.setPermissions(descriptor, permissions)
  }

  /// The entries may belong to both: then the simulation asks the system about its own.
  static func poll(_ entries: UnsafeMutableBufferPointer<PollEntry>, milliseconds: Int32) -> Int {
    for index in entries.indices {
      guard let simulation = unsafe simulation(of: entries[index].fd) else { continue }
      return unsafe simulation.poll(entries, milliseconds: milliseconds)
    }
    return unsafe system.poll(entries, milliseconds: milliseconds)
  }

  static func rename(_ path: [UInt8], to target: [UInt8]) -> Int {
    simulation(at: path)?.rename(path, to: target) ?? system.rename(path, to: target)
  }

  static func remove(_ path: [UInt8]) -> Int { simulation(at: path)?.remove(path) ?? system.remove(path) }

  static func readLink(_ path: [UInt8], _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe simulation(at: path)?.readLink(path, buffer) ?? system.readLink(path, buffer)
  }

  static func resolve(_ path: [UInt8]) -> [UInt8]? {
    if let simulation = simulation(at: path) { return simulation.resolve(path) }
    return system.resolve(path)
  }

  static func map(_ descriptor: Int32, _ count: Int) -> UnsafeRawBufferPointer? {
    if let simulation = simulation(of: descriptor) { return unsafe simulation.map(descriptor, count) }
    return unsafe system.map(descriptor, count)
  }

  static func pause(nanoseconds: Int, for descriptor: Int32) {
    if let simulation = simulation(of: descriptor) {
      return simulation.pause(nanoseconds: nanoseconds, for: descriptor)
    }
    system.pause(nanoseconds: nanoseconds, for: descriptor)
  }
}
