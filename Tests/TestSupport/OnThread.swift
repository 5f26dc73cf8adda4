import Foundation

/// Runs `body` on a new thread with a stack of this size. It may block on tasks, which the threads of the pool must not: on
/// two cores there are only two of them.
package func onThread<Result: Sendable>(
  stackBytes: Int = 512 << 10, _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
    thread.stackSize = stackFactor * stackBytes
    thread.start()
  }
}

/// Runs `body` on a new thread, with a file that holds `bytes`, and removes the file afterwards.
package func onThread(withFile bytes: [UInt8], _ body: @escaping @Sendable (String) throws -> Void) async throws {
  try await onThread { try withFile(bytes, body) }
}
