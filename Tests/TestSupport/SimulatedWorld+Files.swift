import JSONSift

/// The files, readers, faults and changes of a simulated world.
extension SimulatedWorld {
  package enum Call: Int, CaseIterable, Sendable {
    case open, close, read, write, seek, status, truncate, synchronize, permissions, poll, rename, remove, link, map,
      pause
  }

  /// The part that a file has in a run. The temporary file of an output is the output, too.
  package enum Role: Int, Sendable { case input, output, rejects, folder }

  package struct File: Sendable {
    package enum Kind: Sendable { case regular, pipe, folder }
    package var kind: Kind
    package var bytes: [UInt8]
    var role: Role
    var number: Int
    var permissions: UInt32 = 0o644
    /// In seconds.
    var modified = 0
    /// The bytes that are on the disk; `nil` if there were never any.
    var synchronized: [UInt8]?
    /// For a pipe: the number of bytes that have arrived, and the number of bytes of the next chunks.
    var arrived = 0
    var chunks: [Int] = []
    /// Whether the process that writes the pipe writes no more, and keeps it open.
    var stalls = false
    /// The number of the calls of each kind.
    var calls = [Int](repeating: 0, count: Call.allCases.count)
    var hasRoom = true
    /// Whether the pipe was reported as ready without bytes since the last chunk arrived.
    var wasReadyWithoutBytes = false
  }

  /// What a reader has received from one opened file.
  package struct Reading: Sendable {
    package let name: String
    package let file: Int
    package var bytes: [UInt8] = []
    /// Whether the last read returned the end.
    package var sawEnd = false
    package var begin: Int?
  }

  /// A call that fails: the call with a number, or also all later ones.
  package struct Rule: Sendable {
    package var call: Call
    package var role: Role
    package var number: Int
    package var error: Int32
    package var repeats = false

    package init(_ call: Call, _ role: Role, _ number: Int, _ error: Int32, repeats: Bool = false) {
      (self.call, self.role, self.number, self.error, self.repeats) = (call, role, number, error, repeats)
    }
  }

  /// A change of the input by another process, before the call with a number of any file.
  package enum Change: Sendable {
    case append([UInt8])
    case shrink(to: Int)
    /// Another file takes the name; the old file gets these bytes before.
    case rotate(appending: [UInt8], to: [UInt8])
    /// The file is emptied, and written again.
    case rewrite([UInt8])
  }

  /// A change of the output or of the rejects by another process, before the output gets its final name.
  package enum ForeignChange: Sendable {
    case outputRewritten([UInt8])
    /// Another file takes the name, also if there was none.
    case outputReplaced([UInt8])
    case outputRemoved
    case temporaryRemoved
    /// As programs do that rotate a log and cannot tell its writer to open it again.
    case rejectsEmptied
  }

  struct Opened {
    let file: Int
    var position = 0
    let isNonblocking: Bool
    let isWriting: Bool
    /// The index of the reading.
    var reading: Int?
  }
}

extension SimulatedWorld.File {
  /// The next chunk of a pipe arrives.
  mutating func arrive() {
    wasReadyWithoutBytes = false
    arrived = min(arrived + (chunks.isEmpty ? bytes.count : chunks.removeFirst()), bytes.count)
  }

  var status: FileStatus {
    var status = FileStatus()
    status.kind = kind == .regular ? .regular : kind == .folder ? .folder : .other
    status.size = kind == .regular ? bytes.count : 0
    status.permissions = permissions
    status.inode = UInt64(number)
    status.modified = FileTime(seconds: modified)
    return status
  }
}
