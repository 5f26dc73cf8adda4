private import CJSONScan

/// Names that lead from an object to values: of its members, of members of these, and so on. Good as long as the owner of
/// its lists is.
@safe struct PathTrie: BitwiseCopyable {
  fileprivate var tree = json_scan_tree()
  private(set) var objectCount = 0

  /// - Parameter takesAll: Arrays and objects are found too, the objects on the way, and what stands in their place. Without
  ///   it only scalars behind the last names are as usual.
  init(takesAll: Bool) { tree.takes_all = takesAll }

  /// Whether lines are known to be JSON texts, so that the rest of a line need not be looked at.
  var hasProvenLines: Bool {
    get { tree.has_proven_lines }
    set { tree.has_proven_lines = newValue }
  }

  /// How many names there are: each is a branch.
  var branchCount: Int { tree.branches }

  /// Adds an object, in which no name is looked for twice.
  ///
  /// - Parameter branch: The name of an object that is there already, whose value it is; the first is none's.
  /// - Returns: The number of its first name, or `nil` if there is no room for it.
  mutating func append(_ names: KeyPatternLists.Reference, at branch: Int? = nil) -> Int? {
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

/// Goes over elements of an array that are objects, and finds in each the values to which a tree of names leads.
///
/// It stops in front of what is not as usual, so that its owner can look at that in the way that judges everything.
struct TrieScan: ~Copyable {
  /// A value that was found.
  struct Value {
    /// Where it stands in the bytes. Of an object that the tree goes on in it is empty, and begins with its brace.
    let range: Range<Int>
    /// The number of its element, from 0 on.
    let element: Int
    /// The number of its name.
    let branch: Int

    @inline(__always)
    fileprivate init(_ value: json_scan_value) {
      range = value.start..<max(value.start, value.end)
      element = Int(value.element)
      branch = Int(value.branch)
    }
  }

  private var memory: RawMemory
  private var found = json_scan_found()
  /// There may be more: the last call has stopped for want of room.
  private(set) var isFull = false

  /// So many values at most are found at once.
  private static let room = 128

  init() { memory = RawMemory(capacity: Self.room * MemoryLayout<json_scan_value>.stride) }

  /// How many values the last call has found, and in how many elements it has looked.
  @inline(__always) var count: Int { found.values }
  @inline(__always) var elements: Int { found.elements }
  /// Bit n: object n of the tree was in one of them.
  @inline(__always) var opened: UInt32 { found.opened }

  /// Goes on behind an element.
  ///
  /// - Parameter bytes: The first is white space or the comma behind that element.
  /// - Returns: How many bytes are used, up to the end of an element.
  mutating func read(_ bytes: UnsafeRawBufferPointer, along tree: inout PathTrie) -> Int {
    found = json_scan_found()
    isFull = false
    guard let base = bytes.baseAddress else { return 0 }
    // SAFETY: the memory has room for that many.
    let used = unsafe json_scan_elements(
      base.assumingMemoryBound(to: UInt8.self), bytes.count, &tree.tree,
      memory.base.assumingMemoryBound(to: json_scan_value.self), Self.room, &found)
    isFull = Self.room - count < tree.branchCount
    return used
  }

  /// A value that was found.
  subscript(_ index: Int) -> Value {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      // SAFETY: the last call has written `count` values.
      return unsafe Value(memory.base.assumingMemoryBound(to: json_scan_value.self)[index])
    }
  }
}

/// Goes over lines that are objects, and finds in each the values to which a tree of names leads.
///
/// It stops in front of what is not as usual, as a ``TrieScan`` does.
struct LineScan: ~Copyable {
  private var values: RawMemory
  private var lines: RawMemory
  private var found = json_scan_found()

  /// So many at most are found at once.
  private static let valueRoom = 128
  private static let lineRoom = 64

  init() {
    values = RawMemory(capacity: Self.valueRoom * MemoryLayout<json_scan_value>.stride)
    lines = RawMemory(capacity: Self.lineRoom * MemoryLayout<json_scan_line>.stride)
  }

  /// How many values the last call has found, and how many lines it has gone over.
  @inline(__always) var count: Int { found.values }
  @inline(__always) var lineCount: Int { found.elements }

  mutating func removeAll() { found = json_scan_found() }

  /// - Parameter bytes: The first is that of a line.
  /// - Returns: How many bytes of whole lines are used.
  mutating func read(_ bytes: UnsafeRawBufferPointer, along tree: inout PathTrie) -> Int {
    found = json_scan_found()
    guard let base = bytes.baseAddress else { return 0 }
    // SAFETY: both memories have room for as many as is said.
    return unsafe json_scan_lines(
      base.assumingMemoryBound(to: UInt8.self), bytes.count, &tree.tree,
      values.base.assumingMemoryBound(to: json_scan_value.self), Self.valueRoom,
      lines.base.assumingMemoryBound(to: json_scan_line.self), Self.lineRoom, &found)
  }

  /// Goes over one object, which is the line with the number 0.
  ///
  /// - Parameter bytes: They begin with its brace.
  /// - Returns: How many bytes it has; 0 if it is not as usual.
  mutating func read(object bytes: UnsafeRawBufferPointer, along tree: inout PathTrie) -> Int {
    found = json_scan_found()
    guard let base = bytes.baseAddress else { return 0 }
    // SAFETY: there is room for as many values as a tree has names.
    let end = unsafe json_scan_record(
      base.assumingMemoryBound(to: UInt8.self), bytes.count, &tree.tree,
      values.base.assumingMemoryBound(to: json_scan_value.self), &found)
    // SAFETY: there is room for a line.
    unsafe lines.base.storeBytes(of: json_scan_line(end: end, opened: found.opened), as: json_scan_line.self)
    return end
  }

  /// A value that was found; its element is the number of its line.
  subscript(_ index: Int) -> TrieScan.Value {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      // SAFETY: the last call has written `count` values.
      return unsafe TrieScan.Value(values.base.assumingMemoryBound(to: json_scan_value.self)[index])
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
