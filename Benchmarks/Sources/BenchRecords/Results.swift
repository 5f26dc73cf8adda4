/// Prints results as the other programs of `run compare` do: the first at once, the others as they fill a buffer.
package struct Results: ~Copyable {
  private let write: (UnsafeRawBufferPointer) -> Void
  private var buffer: [UInt8] = []
  private var isLater = false

  private static let capacity = 1 << 16

  package init(_ write: @escaping (UnsafeRawBufferPointer) -> Void) {
    self.write = write
    buffer.reserveCapacity(Self.capacity + 64)
  }

  package mutating func put(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    buffer.append(0x0A)
    if !isLater || buffer.count >= Self.capacity { flush() }
    isLater = true
  }

  package mutating func put(_ number: Int) { put(String(number)) }

  package mutating func flush() {
    buffer.withUnsafeBytes { write($0) }
    buffer.removeAll(keepingCapacity: true)
  }
}
