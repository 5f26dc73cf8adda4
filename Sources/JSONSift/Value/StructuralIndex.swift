/// The ranges of the children of one large container, and of the children of its large children.
///
/// An access to a deeply nested value reads one level after another, and each level would be scanned for the ends of its
/// children. So a child that turns out to be large is scanned for its own children, which also yields its end: two levels cost
/// one pass.
struct StructuralIndex: Sendable {
  /// The children in fixed-size chunks; all but the last are full. The number of children is not known in advance, and
  /// repeatedly moving them to larger memory takes a tenth of the time.
  private var chunks: [[ChildScan.Child]] = []
  private(set) var count = 0
  /// The offset after the closing bracket. All offsets count from the byte after the opening bracket.
  private(set) var end = 0
  /// The indexes of large children, by the number of the child.
  private(set) var inner: [Int: StructuralIndex] = [:]

  private static let chunkCount = Sizes.of(1024, fuzzing: 4)
  /// The minimum average length of children. The tape words of smaller children are written as fast as their ranges are found.
  static let smallChild = Sizes.of(40, fuzzing: 6)
  /// The number of bytes of a child that are scanned before it is considered large. They are scanned twice, the second time
  /// from a cache.
  static let window = Sizes.of(1 << 18, fuzzing: 32)

  /// The ranges of the child with this number, which must exist.
  subscript(_ number: Int) -> ChildScan.Child { chunks[number / Self.chunkCount][number % Self.chunkCount] }

  /// Calls `body` with each child and its number.
  func forEach(_ body: (Int, ChildScan.Child) -> Void) {
    var number = 0
    for chunk in chunks {
      for child in chunk {
        body(number, child)
        number += 1
      }
    }
  }

  /// Scans a container whose opening bracket is before the first byte. Returns `nil` if its structure looks invalid, or its
  /// children are too small.
  ///
  /// - Parameters:
  ///   - window: The number of bytes after which a child is large; `nil` to not scan large children for their own children.
  ///   - minLength: The minimum average length of children.
  ///   - scan: A scan that starts after the opening bracket and has the notes of a validation.
  init?(
    in bytes: UnsafeRawBufferPointer, isObject: Bool, window: Int? = Self.window, minLength: Int = Self.smallChild,
    scan: ChildScan? = nil
  ) {
    var scan = scan ?? ChildScan(isObject: isObject)
    var chunk: [ChildScan.Child] = []
    // The last large child that was scanned for its own children. Each is scanned once: bytes after its first container are
    // invalid.
    var entered = -1
    while true {
      let start = scan.offset
      let next = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(window ?? bytes.count))
      switch unsafe scan.read(next, limit: Self.chunkCount - chunk.count, into: &chunk) {
      case .full:
        count += chunk.count
        if scan.offset / count < minLength { return nil }
        chunks.append(chunk)
        chunk = []
        chunk.reserveCapacity(Self.chunkCount)
      case .ended:
        count += chunk.count
        chunks.append(chunk)
        end = scan.offset
        return
      case .malformed: return nil
      case .more:
        guard scan.offset < bytes.count else { return nil }
        guard let child = scan.openChild, child < start, child != entered else { continue }
        entered = child
        let bracket = unsafe bytes[child]
        guard bracket == ASCII.openBrace || bracket == ASCII.openBracket else { continue }
        let inside = unsafe UnsafeRawBufferPointer(rebasing: bytes[(child + 1)...])
        if let found = unsafe StructuralIndex(in: inside, isObject: bracket == ASCII.openBrace, window: nil) {
          inner[count + chunk.count] = found
          scan.skipOpenContainer(to: child + 1 + found.end)
        }
      }
    }
  }
}
