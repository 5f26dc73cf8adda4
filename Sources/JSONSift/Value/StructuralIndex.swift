/// The ranges of the children of one large container.
struct StructuralIndex {
  private(set) var children: [ChildScan.Child] = []
  /// The offset after the closing bracket. All offsets count from the byte after the opening bracket.
  private(set) var end = 0

  /// The number of children after which their average length is checked again.
  private static let chunkCount = Sizes.of(1024, fuzzing: 4)
  /// The minimum average length of children. The tape words of smaller children are written as fast as their ranges are found.
  private static let smallChild = Sizes.of(40, fuzzing: 6)

  /// Scans a container whose opening bracket is before the first byte. Returns `nil` if its structure looks invalid, or its
  /// children are too small.
  ///
  /// - Parameter scan: A scan that starts after the opening bracket.
  init?(in bytes: UnsafeRawBufferPointer, _ scan: ChildScan) {
    var scan = scan
    while true {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[scan.offset...])
      switch unsafe scan.read(rest, limit: Self.chunkCount, into: &children) {
      case .full: if scan.offset / children.count < Self.smallChild { return nil }
      case .ended:
        end = scan.offset
        return
      case .malformed, .more: return nil
      }
    }
  }
}
