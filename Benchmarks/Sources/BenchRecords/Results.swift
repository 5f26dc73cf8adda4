/// Prints results as the other programs of `run compare` do: the first at once, the others as they fill a buffer.
public struct Results: ~Copyable {
  private let write: (UnsafeRawBufferPointer) -> Void
  private var buffer: [UInt8] = []
  private var isLater = false

  private static let capacity = 1 << 16

  public init(_ write: @escaping (UnsafeRawBufferPointer) -> Void) {
    self.write = write
    buffer.reserveCapacity(Self.capacity + 64)
  }

  public mutating func put(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    buffer.append(0x0A)
    if !isLater || buffer.count >= Self.capacity { flush() }
    isLater = true
  }

  public mutating func put(_ number: Int) { put(String(number)) }

  public mutating func flush() {
    buffer.withUnsafeBytes { write($0) }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// What a walk over every value of a document has seen. Text counts by its length, so that each string is made.
public struct Walk {
  public var values = 0
  public var characters = 0
  public var trues = 0
  /// The bits of all numbers, added up: so the order of the members does not matter.
  public var numbers: UInt64 = 0

  public init() {}

  public func put(to results: inout Results) {
    results.put(values)
    results.put(characters)
    results.put(trues)
    // So small that a program that reads lines as Doubles keeps it.
    results.put(Int(numbers % 1_000_000_007))
  }
}
