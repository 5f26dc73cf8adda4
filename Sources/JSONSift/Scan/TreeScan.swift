private import CJSONScan

/// Names that lead from an object to scalars: of its members, of members of these, and so on. Good as long as the owner of
/// its lists is.
@safe struct NameTree: BitwiseCopyable {
  fileprivate var tree = json_scan_tree()
  private(set) var objectCount = 0

  /// How many names there are: each is a branch.
  var branchCount: Int { tree.branches }

  /// Adds an object, in which no name is looked for twice. Its values are scalars, but for those that are said to be objects.
  ///
  /// - Parameter branch: The name of an object that is there already, whose value it is; the first is none's.
  /// - Returns: The number of its first name, or `nil` if there is no room for it.
  mutating func append(_ names: NameLists.Reference, at branch: Int? = nil) -> Int? {
    let first = branchCount
    guard objectCount < Int(JSON_SCAN_MAX_OBJECTS), first + names.count <= Int(JSON_SCAN_MAX_BRANCHES),
      (branch == nil) == (objectCount == 0), (branch ?? -1) < first
    else { return nil }
    let object = unsafe json_scan_tree_object(
      names: names.address.assumingMemoryBound(to: json_scan_names.self), first: UInt32(first),
      all: UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(names.count)) - 1))
    // SAFETY: there is room for one more object, as was just seen, and the branch is one of those that are there.
    unsafe withUnsafeMutableBytes(of: &tree.objects) { objects in
      unsafe objects.storeBytes(
        of: object, toByteOffset: objectCount * MemoryLayout<json_scan_tree_object>.stride,
        as: json_scan_tree_object.self)
    }
    if let branch {
      unsafe withUnsafeMutableBytes(of: &tree.targets) { unsafe $0[branch] = UInt8(objectCount) }
    }
    tree.branches += names.count
    objectCount += 1
    return first
  }
}

/// Goes over elements of an array that are objects, and finds in each the scalars to which a tree of names leads.
///
/// It stops in front of what is not as usual, so that its owner can look at that in the way that judges everything.
struct TreeScan: ~Copyable {
  /// A scalar that was found.
  struct Scalar {
    /// Where it stands in the bytes.
    let range: Range<Int>
    /// The number of its element, from 0 on.
    let element: Int
    /// The number of its name.
    let branch: Int

    @inline(__always)
    fileprivate init(_ scalar: json_scan_scalar) {
      range = scalar.start..<max(scalar.start, scalar.end)
      element = Int(scalar.element)
      branch = Int(scalar.branch)
    }
  }

  private var memory: RawMemory
  private var found = json_scan_found()
  /// There may be more: the last call has stopped for want of room.
  private(set) var isFull = false

  /// So many scalars at most are found at once.
  private static let room = 128

  init() { memory = RawMemory(capacity: Self.room * MemoryLayout<json_scan_scalar>.stride) }

  /// How many scalars the last call has found, and in how many elements it has looked.
  @inline(__always) var count: Int { found.scalars }
  @inline(__always) var elements: Int { found.elements }
  /// Bit n: object n of the tree was in one of them.
  @inline(__always) var opened: UInt32 { found.opened }

  /// Goes on behind an element.
  ///
  /// - Parameter bytes: The first is white space or the comma behind that element.
  /// - Returns: How many bytes are used, up to the end of an element.
  mutating func read(_ bytes: UnsafeRawBufferPointer, along tree: inout NameTree) -> Int {
    found = json_scan_found()
    isFull = false
    guard let base = bytes.baseAddress else { return 0 }
    // SAFETY: the memory has room for that many.
    let used = unsafe json_scan_elements(
      base.assumingMemoryBound(to: UInt8.self), bytes.count, &tree.tree,
      memory.base.assumingMemoryBound(to: json_scan_scalar.self), Self.room, &found)
    isFull = Self.room - count < tree.branchCount
    return used
  }

  /// A scalar that was found.
  subscript(_ index: Int) -> Scalar {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      // SAFETY: the last call has written `count` scalars.
      return unsafe Scalar(memory.base.assumingMemoryBound(to: json_scan_scalar.self)[index])
    }
  }
}

/// Goes over lines that are objects, and finds in each the scalars to which a tree of names leads.
///
/// It stops in front of what is not as usual, as a ``TreeScan`` does.
struct LineScan: ~Copyable {
  private var scalars: RawMemory
  private var lines: RawMemory
  private var found = json_scan_found()

  /// So many at most are found at once.
  private static let scalarRoom = 128
  private static let lineRoom = 64

  init() {
    scalars = RawMemory(capacity: Self.scalarRoom * MemoryLayout<json_scan_scalar>.stride)
    lines = RawMemory(capacity: Self.lineRoom * MemoryLayout<json_scan_line>.stride)
  }

  /// How many scalars the last call has found, and how many lines it has gone over.
  @inline(__always) var count: Int { found.scalars }
  @inline(__always) var lineCount: Int { found.elements }

  mutating func removeAll() { found = json_scan_found() }

  /// - Parameter bytes: The first is that of a line.
  /// - Returns: How many bytes of whole lines are used.
  mutating func read(_ bytes: UnsafeRawBufferPointer, along tree: inout NameTree) -> Int {
    found = json_scan_found()
    guard let base = bytes.baseAddress else { return 0 }
    // SAFETY: both memories have room for as many as is said.
    return unsafe json_scan_lines(
      base.assumingMemoryBound(to: UInt8.self), bytes.count, &tree.tree,
      scalars.base.assumingMemoryBound(to: json_scan_scalar.self), Self.scalarRoom,
      lines.base.assumingMemoryBound(to: json_scan_line.self), Self.lineRoom, &found)
  }

  /// A scalar that was found; its element is the number of its line.
  subscript(_ index: Int) -> TreeScan.Scalar {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      // SAFETY: the last call has written `count` scalars.
      return unsafe TreeScan.Scalar(scalars.base.assumingMemoryBound(to: json_scan_scalar.self)[index])
    }
  }

  /// Where a line ends with its line feed, and which objects of the tree it has: bit n is that of object n.
  @inline(__always)
  func line(_ number: Int) -> (end: Int, opened: UInt32) {
    precondition(number >= 0 && number < lineCount)
    // SAFETY: the last call has written `lineCount` lines.
    let line = unsafe lines.base.assumingMemoryBound(to: json_scan_line.self)[number]
    return (line.end, line.opened)
  }
}
