/// The system calls for files and pipes that ``File``, ``ReplacementFile`` and ``DescriptorWaiter`` need.
///
/// A call that fails returns the negated value of `errno`, as the kernel does. So no other call can change the number before
/// it is read.
package protocol SystemCalls: Sendable {
  /// Opens a file, and returns its descriptor. The permissions only matter for a file that is created; the mask of the process
  /// reduces them.
  func open(_ path: [UInt8], _ flags: Int32, permissions: UInt32) -> Int
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
  /// Waits until a descriptor can be used, and returns the number of descriptors that can. -1 means no time limit.
  func poll(_ entries: UnsafeMutableBufferPointer<PollEntry>, milliseconds: Int32) -> Int
  func rename(_ path: [UInt8], to target: [UInt8]) -> Int
  func remove(_ path: [UInt8]) -> Int
  /// Reads the target of a symbolic link, and returns its length.
  func readLink(_ path: [UInt8], _ buffer: UnsafeMutableRawBufferPointer) -> Int
  /// Returns the path without symbolic links; `nil` if the system cannot find it.
  func resolve(_ path: [UInt8]) -> [UInt8]?
  /// Returns what is in a folder, without `.` and `..`; nothing if it cannot be read.
  func entries(of folder: [UInt8]) -> [FolderEntry]
  /// Locks the file for this process, until the descriptor is closed. Fails at once if another process has locked it.
  func lock(_ descriptor: Int32) -> Int
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
  /// Whether the group of the file is the group of the process, which new files have.
  var hasOwnGroup = false
  package var device: UInt64 = 0
  package var inode: UInt64 = 0
  /// When the content was modified last.
  package var modified = FileTime(seconds: 0)
  /// When the content or the status was changed last.
  package var changed = FileTime(seconds: 0)

  package init() {}

  /// The permissions that a file with parts of this one may have: nobody can read there what they cannot read here. The
  /// owner can read and write it.
  package var permissionsOfExcerpts: UInt32 {
    // A pipe has no readers to protect it from.
    guard kind == .regular else { return 0o666 }
    let others = permissions & 0o006
    return 0o600 | permissions & (hasOwnGroup ? 0o060 : others << 3) | others
  }

  /// The file system and the number of the file in it, which stay if the file is renamed.
  struct Identity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  var identity: Identity { Identity(device: device, inode: inode) }

  package func isSameFile(as other: FileStatus) -> Bool { identity == other.identity }
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

  /// Returns the owner of a descriptor.
  static func of(_ descriptor: Int32) -> any SystemCalls {
    descriptor < firstSimulatedDescriptor ? system : unsafe simulation ?? system
  }

  /// Returns the owner of a path.
  static func of(_ path: [UInt8]) -> any SystemCalls {
    guard let simulation = unsafe simulation, path.starts(with: simulatedFolder) else { return system }
    return simulation
  }

  package static func close(_ descriptor: Int32) -> Int { of(descriptor).close(descriptor) }

  /// The entries may belong to the system and to the simulation. In that case the simulation polls the system for the
  /// system's entries.
  static func poll(_ entries: UnsafeMutableBufferPointer<PollEntry>, milliseconds: Int32) -> Int {
    let last = unsafe entries.max { $0.fd < $1.fd }?.fd ?? 0
    return unsafe of(last).poll(entries, milliseconds: milliseconds)
  }
}
