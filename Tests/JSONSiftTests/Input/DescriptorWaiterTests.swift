import Foundation
import Testing

@testable import JSONSift

@Suite struct DescriptorWaiterTests {
  private func pipe() throws -> (read: Int32, write: Int32) { try File.nonblockingPipe() }

  @discardableResult private func put(_ end: Int32) -> Int {
    var byte: UInt8 = 1
    return unsafe write(end, &byte, 1)
  }

  private func take(_ end: Int32) -> Int {
    var byte: UInt8 = 0
    return unsafe read(end, &byte, 1)
  }

  @Test func `a wait ends when a byte arrives and at the end of a pipe`() async throws {
    let (read, write) = try pipe()
    defer { _ = close(read) }
    async let outcome = DescriptorWaiter.shared.wait(for: read)
    try await Task.sleep(nanoseconds: 20_000_000)
    put(write)
    #expect(await outcome == .ready)
    #expect(take(read) == 1)
    async let end = DescriptorWaiter.shared.wait(for: read)
    _ = close(write)
    #expect(await end == .ready)
  }

  @Test func `cancellation ends a wait, also before it begins, and releases the descriptor`() async throws {
    let (read, write) = try pipe()
    for early in [true, false] {
      let task = Task {
        if early { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        return await DescriptorWaiter.shared.wait(for: read)
      }
      if !early {
        try await Task.sleep(nanoseconds: 20_000_000)
        task.cancel()
      }
      #expect(await task.value == .cancelled)
    }
    // If the thread still polled the descriptor, the writer would not notice that the pipe is broken.
    _ = signal(SIGPIPE, SIG_IGN)
    _ = close(read)
    #expect(put(write) == -1)
    #expect(errno == EPIPE)
    _ = close(write)
  }

  @Test func `many tasks wait at once and the thread pool stays free`() async throws {
    // macOS limits a process to 256 descriptors, and other tests need some.
    let pipes = try (0..<60).map { _ in try pipe() }
    await withTaskGroup(of: DescriptorWaiter.Outcome.self) { group in
      for pipe in pipes { group.addTask { await DescriptorWaiter.shared.wait(for: pipe.read) } }
      // With two threads and blocking reads, execution would not reach this line.
      await Task { for pipe in pipes.reversed() { put(pipe.write) } }.value
      var count = 0
      for await outcome in group {
        #expect(outcome == .ready)
        count += 1
      }
      #expect(count == pipes.count)
    }
    for pipe in pipes {
      _ = close(pipe.read)
      _ = close(pipe.write)
    }
  }

  #if canImport(Glibc)
    /// A sanitizer ends a process that may map no memory.
    private static let mayLackMemory = unsafe dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil

    @Test(.enabled(if: mayLackMemory))
    func `a wait fails if its thread cannot be started, and the next one tries again`() async {
      await #expect(processExitsWith: .success) {
        let waiter = DescriptorWaiter()
        let (read, write) = try File.nonblockingPipe()
        var limit = rlimit()
        let resource = __rlimit_resource_t(UInt32(RLIMIT_AS.rawValue))
        #expect(unsafe getrlimit(resource, &limit) == 0)
        let pages = try #require(Int(String(contentsOfFile: "/proc/self/statm", encoding: .utf8).prefix { $0 != " " }))
        // 256 KiB more than the process has: less than a stack takes.
        var less = limit
        less.rlim_cur = rlim_t(pages * Int(getpagesize()) + (1 << 18))
        #expect(unsafe setrlimit(resource, &less) == 0)
        let outcome = await waiter.wait(for: read)
        #expect(unsafe setrlimit(resource, &limit) == 0)
        #expect(outcome == .failed(EAGAIN))
        #expect(waiter.waitingCount == 0)
        _ = close(write)
        #expect(await waiter.wait(for: read) == .ready)
        _ = close(read)
      }
    }
  #endif

  @Test func `a wait on a closed descriptor returns`() async throws {
    #expect(await DescriptorWaiter.shared.wait(for: 1_000_000) == .ready)
  }
}
