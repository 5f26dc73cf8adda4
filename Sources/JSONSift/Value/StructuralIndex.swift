/// Where the children of one large container lie, and those of the large containers among them.
///
/// Whoever asks for a value far inside asks for one level after the other, and each would be gone over for the ends of its
/// children. So a child that is found to be large is gone over for its own children, and its end is found with them: two
/// levels cost one pass.
struct StructuralIndex: Sendable {
  /// All of them are full but the last. Nobody knows how many there will be, and to move all to larger memory again and
  /// again takes a tenth of the time.
  private var pieces: [[ChildScan.Child]] = []
  private(set) var count = 0
  /// The offset behind the closing bracket; as all offsets, it counts from the byte behind the opening one.
  private(set) var end = 0
  /// By the number of the child.
  private(set) var inner: [Int: StructuralIndex] = [:]

  private static let pieceCount = 1024
  /// How long children must be on average: the places of smaller ones would take more memory than a tape.
  static let smallChild = 128
  /// The same in proven text, where the places are not kept for long. The words of smaller ones are written as fast as
  /// their places are found.
  static let smallProvenChild = 40
  /// So many bytes of a child are looked at before it is taken for large. They are gone over twice, the second time out of
  /// a cache.
  static let window = 1 << 18

  /// Where the child with this number lies. There must be one.
  subscript(_ number: Int) -> ChildScan.Child { pieces[number / Self.pieceCount][number % Self.pieceCount] }

  /// Calls `body` with each child and its number.
  func forEach(_ body: (Int, ChildScan.Child) -> Void) {
    var number = 0
    for piece in pieces {
      for child in piece {
        body(number, child)
        number += 1
      }
    }
  }

  /// Goes over a container whose opening bracket stands before the first byte. `nil` if its structure looks wrong, or its
  /// children are too small.
  ///
  /// - Parameters:
  ///   - window: `nil` to leave large children alone.
  ///   - least: How long children must be on average.
  ///   - scan: One that stands behind the opening bracket and knows more of the text.
  init?(
    in bytes: UnsafeRawBufferPointer, isObject: Bool, window: Int? = Self.window, least: Int = Self.smallChild,
    scan: ChildScan? = nil
  ) {
    var scan = scan ?? ChildScan(isObject: isObject)
    var piece: [ChildScan.Child] = []
    // The last large child that was gone into, once: what stands behind its first container is no JSON.
    var entered = -1
    while true {
      let start = scan.offset
      let next = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(window ?? bytes.count))
      switch unsafe scan.read(next, most: Self.pieceCount - piece.count, into: &piece) {
      case .full:
        count += piece.count
        if scan.offset / count < least { return nil }
        pieces.append(piece)
        piece = []
        piece.reserveCapacity(Self.pieceCount)
      case .ended:
        count += piece.count
        pieces.append(piece)
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
          inner[count + piece.count] = found
          scan.passOpenContainer(to: child + 1 + found.end)
        }
      }
    }
  }
}
