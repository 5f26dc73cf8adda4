import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A failed system call that a test requires.
struct SystemFailure: Error, CustomStringConvertible {
  let call: String
  let number: Int32
  var description: String { "\(call): error \(number)" }
}

/// A child process and the test's ends of its three pipes. Uses `posix_spawn` instead of Foundation's `Process`, which
/// accepts arguments only as text: a file name need not be UTF-8.
final class Child {
  /// The maximum run time of a process. A process that hangs must not block the tests.
  static let patience: TimeInterval = 30

  private let identifier: pid_t
  private var input: Int32
  private var output: Int32
  private var errors: Int32
  private let deadline: Date
  private var hasEnded = false
  /// The output received so far from standard output and standard error.
  private(set) var out: [UInt8] = []
  private(set) var err: [UInt8] = []

  /// Starts the program at a path.
  ///
  /// - Parameters:
  ///   - hasInput: Whether standard input is a pipe that the test writes. Otherwise it is empty.
  ///   - blocksOnErrors: Whether a write to standard error waits while the pipe is full. Otherwise it fails.
  init(
    _ program: String, _ arguments: [[UInt8]], hasInput: Bool, blocksOnErrors: Bool = true,
    patience: TimeInterval = Child.patience
  ) throws {
    // Writing to a process that has exited then fails, instead of terminating the test process.
    _ = signal(SIGPIPE, SIG_IGN)
    deadline = Date().addingTimeInterval(patience)
    let nothing = try Self.check("open", unsafe open("/dev/null", O_RDONLY | O_CLOEXEC))
    defer { _ = close(nothing) }
    Self.starting.lock()
    defer { Self.starting.unlock() }
    let inPipe = hasInput ? try Self.pipe() : nil
    let outPipe = try Self.pipe()
    let errPipe = try Self.pipe()
    if !blocksOnErrors { _ = fcntl(errPipe.write, F_SETFL, O_NONBLOCK) }
    input = inPipe?.write ?? -1
    output = outPipe.read
    errors = errPipe.read
    defer {
      if let inPipe { _ = close(inPipe.read) }
      _ = close(outPipe.write)
      _ = close(errPipe.write)
    }
    identifier = try Self.spawn(
      program, arguments, descriptors: [inPipe?.read ?? nothing, outPipe.write, errPipe.write])
    for descriptor in [input, output, errors] where descriptor >= 0 {
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    if !hasEnded {
      _ = kill(-identifier, SIGKILL)
      var state: Int32 = 0
      _ = unsafe waitpid(identifier, &state, 0)
    }
    for descriptor in [input, output, errors] where descriptor >= 0 { _ = close(descriptor) }
  }

  // MARK: Communication

  /// Writes to standard input, and reads output meanwhile. A process that has stopped reading is not an error.
  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty, input >= 0, exchange(&rest) {}
  }

  func write(_ text: String) { write(Array(text.utf8)) }

  /// Whether the process has not ended. Its exit status can still be read by ``finish(feeding:)``.
  var isRunning: Bool {
    var information = unsafe siginfo_t()
    guard unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOHANG | WNOWAIT) == 0 else { return false }
    return unsafe information.si_signo == 0
  }

  /// The number of bytes that the process has written to standard output and that were not read yet.
  var unreadBytes: Int {
    var count: Int32 = 0
    return unsafe ioctl(output, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Sends a signal.
  func send(signal number: Int32) { _ = kill(identifier, number) }

  func closeInput() {
    if input >= 0 { _ = close(input) }
    input = -1
  }

  /// Gives the process time to read what was written before more is written.
  static func rest() { _ = usleep(60_000) }

  /// Reads until standard output contains `count` complete lines, and returns them.
  func lines(_ count: Int) -> [String] {
    var nothing: ArraySlice<UInt8> = []
    while out.count(where: { $0 == 0x0A }) < count, exchange(&nothing) {}
    return out.split(separator: 0x0A).prefix(count).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Closes standard input, reads all remaining output, and waits for the process.
  ///
  /// - Returns: The exit status, or the negative number of the signal that terminated the process.
  func finish(feeding bytes: [UInt8] = []) -> Int32 {
    var rest = bytes[...]
    while true {
      if rest.isEmpty { closeInput() }
      guard exchange(&rest) else { break }
    }
    closeInput()
    return wait()
  }

  /// Waits until a pipe is ready, and reads or writes it. Returns `false` when no further output is possible.
  private func exchange(_ rest: inout ArraySlice<UInt8>) -> Bool {
    guard output >= 0 || errors >= 0 else { return false }
    let patience = deadline.timeIntervalSinceNow
    guard patience > 0 else { return false }
    // poll ignores negative descriptors.
    var entries = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0), pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
      pollfd(fd: rest.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
    ]
    let ready = unsafe poll(&entries, nfds_t(entries.count), Int32(patience * 1000) + 1)
    guard ready > 0 else { return ready < 0 && errno == EINTR }
    if entries[0].revents != 0 { Self.read(&output, into: &out) }
    if entries[1].revents != 0 { Self.read(&errors, into: &err) }
    if entries[2].revents != 0 { feed(&rest) }
    return true
  }

  private func feed(_ rest: inout ArraySlice<UInt8>) {
    let count = unsafe rest.withUnsafeBytes { bytes in
      #if canImport(Darwin)
        unsafe Darwin.write(input, bytes.baseAddress, bytes.count)
      #elseif canImport(Musl)
        unsafe Musl.write(input, bytes.baseAddress, bytes.count)
      #else
        unsafe Glibc.write(input, bytes.baseAddress, bytes.count)
      #endif
    }
    if count >= 0 {
      rest = rest.dropFirst(count)
    } else if errno != EAGAIN, errno != EINTR {
      rest = []
      closeInput()
    }
  }

  private static func read(_ descriptor: inout Int32, into bytes: inout [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let source = descriptor
    let count = unsafe buffer.withUnsafeMutableBytes { buffer in
      #if canImport(Darwin)
        unsafe Darwin.read(source, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        unsafe Musl.read(source, buffer.baseAddress, buffer.count)
      #else
        unsafe Glibc.read(source, buffer.baseAddress, buffer.count)
      #endif
    }
    if count > 0 {
      bytes += buffer[..<count]
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      _ = close(descriptor)
      descriptor = -1
    }
  }

  /// Waits for the process with its standard input left open.
  func finishWithOpenInput() -> Int32 {
    var nothing: ArraySlice<UInt8> = []
    while exchange(&nothing) {}
    let status = wait()
    closeInput()
    return status
  }

  private func wait() -> Int32 {
    var state: Int32 = 0
    var ended: pid_t = 0
    var pause: UInt32 = 100
    while true {
      ended = unsafe waitpid(identifier, &state, WNOHANG)
      if ended != 0 { break }
      if deadline.timeIntervalSinceNow <= 0 {
        Issue.record("the process did not end within \(Int(Self.patience)) s")
        _ = kill(-identifier, SIGKILL)
        ended = unsafe waitpid(identifier, &state, 0)
        break
      }
      _ = usleep(pause)
      pause = min(pause * 2, 10_000)
    }
    hasEnded = true
    let signal = state & 0x7F
    return signal == 0 ? (state >> 8) & 0xFF : -signal
  }

  // MARK: Launching

  private static func check(_ call: String, _ result: Int32) throws -> Int32 {
    guard result >= 0 else { throw SystemFailure(call: call, number: errno) }
    return result
  }

  /// Serializes the creation of pipes. Creating a pipe and setting its close-on-exec flag are two calls, and tests run
  /// in parallel: a process started between them would inherit the write end, and the reader would never see the end.
  private static let starting = NSLock()

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      _ = try check("pipe", unsafe Darwin.pipe(&ends))
    #elseif canImport(Musl)
      _ = try check("pipe", unsafe Musl.pipe(&ends))
    #else
      _ = try check("pipe", unsafe Glibc.pipe(&ends))
    #endif
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(_ program: String, _ arguments: [[UInt8]], descriptors: [Int32]) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      // Closes all descriptors that are not listed, also those opened by other code.
      let flags = Int16(
        POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      let flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP)
    #endif
    _ = unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    _ = unsafe posix_spawnattr_init(&attributes)
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    for (target, descriptor) in descriptors.enumerated() {
      _ = unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
    }
    // The tests ignore SIGPIPE; a shell that they start must not.
    var defaults = sigset_t()
    _ = unsafe sigemptyset(&defaults)
    _ = unsafe sigaddset(&defaults, SIGPIPE)
    _ = unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    // Threads that run tests block signals, and a process inherits the mask of the thread that starts it.
    var blocked = sigset_t()
    _ = unsafe sigemptyset(&blocked)
    _ = unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
    // A process group of its own, so that processes started by a shell are terminated with it.
    _ = unsafe posix_spawnattr_setpgroup(&attributes, 0)
    _ = unsafe posix_spawnattr_setflags(&attributes, flags)

    let texts = unsafe ([Array(program.utf8)] + arguments).map { text in
      unsafe strdup((text + [0]).map { CChar(bitPattern: $0) })
    }
    var variables = ProcessInfo.processInfo.environment
    variables["LC_ALL"] = "C"
    let environment = unsafe variables.map { unsafe strdup("\($0.key)=\($0.value)") }
    defer { unsafe (texts + environment).forEach { unsafe free($0) } }
    var identifier: pid_t = 0
    let number = unsafe posix_spawn(&identifier, program, &actions, &attributes, texts + [nil], environment + [nil])
    guard number == 0 else { throw SystemFailure(call: "posix_spawn of \(program)", number: number) }
    return identifier
  }
}
