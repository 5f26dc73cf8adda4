private import CJSONScan

/// A name of a member, a name in its value, and so on. Good as long as the owner of its lists is.
@safe struct NameChain: BitwiseCopyable {
  fileprivate var chain = json_scan_chain()

  static let longest = Int(JSON_SCAN_MAX_CHAIN)

  var count: Int { chain.count }

  /// Adds a list of one name. `false` if there is no room for it.
  mutating func append(_ names: NameLists.Reference) -> Bool {
    guard count < Self.longest, names.count == 1 else { return false }
    let place = count * MemoryLayout<UInt>.stride
    // SAFETY: the pointers are as many as `longest`, one behind the other.
    unsafe withUnsafeMutableBytes(of: &chain.names) { places in
      unsafe places.storeBytes(of: names.address, toByteOffset: place, as: UnsafeRawPointer.self)
    }
    chain.count += 1
    return true
  }
}

/// Goes over elements of an array that are objects, and finds in each the scalar at the end of a chain of names.
///
/// It stops in front of what is not as usual, so that its owner can look at that in the way that judges everything.
struct ElementScan: ~Copyable {
  private var memory: RawMemory
  /// The scalars that the last call has found.
  private(set) var count = 0

  /// So many at most are found at once.
  private static let room = 64

  /// There may be more: the last call has stopped for want of room.
  var isFull: Bool { count == Self.room }

  init() { memory = RawMemory(capacity: Self.room * MemoryLayout<json_scan_scalar>.stride) }

  /// Goes on behind an element.
  ///
  /// - Parameter bytes: The first is white space or the comma behind that element.
  /// - Returns: How many bytes are used, up to the end of an element, and how many elements these are.
  mutating func read(_ bytes: UnsafeRawBufferPointer, along chain: inout NameChain) -> (used: Int, elements: Int) {
    count = 0
    guard let base = bytes.baseAddress else { return (0, 0) }
    var elements = 0
    // SAFETY: the memory has room for that many.
    let used = unsafe json_scan_elements(
      base.assumingMemoryBound(to: UInt8.self), bytes.count, &chain.chain,
      memory.base.assumingMemoryBound(to: json_scan_scalar.self), Self.room, &count, &elements)
    return (used, elements)
  }

  /// A scalar that was found: the number of its element, from 0 on, and where it stands in the bytes.
  subscript(_ index: Int) -> (element: Int, range: Range<Int>) {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      // SAFETY: the last call has written `count` scalars.
      let scalar = unsafe memory.base.assumingMemoryBound(to: json_scan_scalar.self)[index]
      return (scalar.element, scalar.start..<max(scalar.start, scalar.end))
    }
  }
}

/// Goes over lines that are objects, and finds in each the scalar at the end of a chain of names.
///
/// It stops in front of what is not as usual, as an ``ElementScan`` does.
struct LineScan: ~Copyable {
  private var memory: RawMemory
  /// The scalars that the last call has found.
  private(set) var count = 0

  /// So many at most are found at once.
  private static let room = 64

  init() { memory = RawMemory(capacity: Self.room * MemoryLayout<json_scan_line_scalar>.stride) }

  mutating func removeAll() { count = 0 }

  /// - Returns: How many bytes of whole lines are used, and how many lines these are.
  mutating func read(_ bytes: UnsafeRawBufferPointer, along chain: inout NameChain) -> (used: Int, lines: Int) {
    count = 0
    guard let base = bytes.baseAddress else { return (0, 0) }
    var lines = 0
    // SAFETY: the memory has room for that many.
    let used = unsafe json_scan_lines(
      base.assumingMemoryBound(to: UInt8.self), bytes.count, &chain.chain,
      memory.base.assumingMemoryBound(to: json_scan_line_scalar.self), Self.room, &count, &lines)
    return (used, lines)
  }

  /// A scalar that was found: the number of its line, from 0 on, where that stands with its line feed, and the scalar.
  subscript(_ index: Int) -> (number: Int, line: Range<Int>, range: Range<Int>) {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      // SAFETY: the last call has written `count` scalars.
      let found = unsafe memory.base.assumingMemoryBound(to: json_scan_line_scalar.self)[index]
      return (
        found.scalar.element, found.start..<max(found.start, found.end),
        found.scalar.start..<max(found.scalar.start, found.scalar.end)
      )
    }
  }
}
