private import CJSONScan

/// A trie of member names: the names to find in an object, the names to find in the values of some of these members, and
/// so on. Valid as long as the owner of its lists lives.
@safe struct PathTrie: BitwiseCopyable {
  fileprivate var trie = json_scan_trie()
  private(set) var objectCount = 0

  /// Whether the scan finds all values to which names lead: arrays and objects at the leaves, the inner objects, and other
  /// values found where the trie has an inner object. Otherwise an element is regular (see ``TrieScan``) only if its values at
  /// the leaves are scalars.
  var includesContainers: Bool {
    get { trie.includes_containers }
    set { trie.includes_containers = newValue }
  }

  /// The maximum length in bytes of an array or object that a scan finds in text that is not known to be one line.
  static let maxContainerLength = Int(JSON_SCAN_MAX_CONTAINER_LENGTH)

  init(includesContainers: Bool) { self.includesContainers = includesContainers }

  /// The number of names in all objects. Each name is a branch, with a number.
  var branchCount: Int { trie.branches }

  /// Adds an object with the names to find in it, which must be distinct.
  ///
  /// - Parameters:
  ///   - names: The names.
  ///   - branch: The number of the name, in an object added before, that leads to this object; `nil` for the root.
  /// - Returns: The number of the first name, or `nil` if the trie has no room for the object.
  mutating func append(_ names: KeyPatternLists.Reference, at branch: Int? = nil) -> Int? {
    let first = branchCount
    guard objectCount < Int(JSON_SCAN_MAX_OBJECTS), first + names.count <= Int(JSON_SCAN_MAX_BRANCHES),
      (branch == nil) == (objectCount == 0), (branch ?? -1) < first
    else { return nil }
    let object = unsafe json_scan_trie_object(
      names: names.address.assumingMemoryBound(to: json_scan_names.self), first: UInt32(first),
      all_names: UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(names.count)) - 1))
    // SAFETY: the guard has verified that the trie has room for one more object, and that the branch exists.
    unsafe withUnsafeMutableBytes(of: &trie.objects) { objects in
      unsafe objects.storeBytes(
        of: object, toByteOffset: objectCount * MemoryLayout<json_scan_trie_object>.stride,
        as: json_scan_trie_object.self)
    }
    if let branch {
      unsafe withUnsafeMutableBytes(of: &trie.targets) { unsafe $0[branch] = UInt8(objectCount) }
    }
    trie.branches += names.count
    objectCount += 1
    return first
  }
}

/// Where the tokens of a chunk of validated text begin: in lines, what their validation has written down.
///
/// A chunk is kept until text is asked for that is not in it, so text that a call has not used is not indexed again.
@safe struct TokenIndex: ~Copyable {
  private var entries = RawMemory(capacity: 0)
  private var rows = RawMemory(capacity: 0)
  fileprivate var index = unsafe json_scan_index()
  /// The range of the chunk in the input.
  private var range = 0..<0
  private let isLines: Bool

  /// The number of bytes that are indexed at once: they fit into the second-level cache with their entries.
  private static let chunkBytes = Sizes.of(1 << 16, fuzzing: 64)
  /// Offsets in a chunk have 32 bits.
  private static let maxBytes = 1 << 30

  init(isLines: Bool) { self.isLines = isLines }

  /// Discards the chunk: other text follows at the same offset.
  mutating func forget() { range = 0..<0 }

  // MARK: Writing

  /// Makes room for a chunk of at most `count` bytes, at most ``maxBytes``.
  private mutating func begin(_ count: Int) {
    // Room for the usual windows stays; room for a long line is released.
    let size = (max(count, 4 * Self.chunkBytes) + Int(JSON_SCAN_INDEX_EXTRA)) * MemoryLayout<UInt32>.stride
    entries.fit(size)
    if isLines { rows.fit(size) }
    unsafe index = json_scan_index(
      entries: entries.base.assumingMemoryBound(to: UInt32.self),
      rows: isLines ? rows.base.assumingMemoryBound(to: UInt32.self) : nil,
      count: 0, row_count: 0, at: 0, row: 0, is_cut: false, has_backslash: false)
  }

  /// Makes a chunk of the bytes that `body` validates.
  ///
  /// - Parameter body: Receives the address of a `json_scan_index`, with room for an entry for each byte, or `nil` if there
  ///   are too many bytes. Returns the number of validated bytes.
  mutating func record(_ count: Int, at offset: Int, _ body: (UnsafeMutableRawPointer?) -> Int) -> Int {
    guard count <= Self.maxBytes else {
      forget()
      return body(nil)
    }
    begin(count)
    let used = unsafe withUnsafeMutableBytes(of: &index) { unsafe body($0.baseAddress) }
    range = offset..<(offset + used)
    return used
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer, _ wanted: Int, at offset: Int) {
    let count = min(bytes.count, wanted, Self.maxBytes)
    guard let base = bytes.baseAddress else { return }
    begin(count)
    // SAFETY: there is room for an entry for each byte, and for as many more as the kernel may write.
    unsafe json_scan_index(base.assumingMemoryBound(to: UInt8.self), count, &index)
    range = offset..<(offset + count)
  }

  // MARK: Reading

  /// The number of indexed bytes before an offset.
  fileprivate func shift(to offset: Int) -> UInt32 { UInt32(truncatingIfNeeded: offset &- range.lowerBound) }

  /// Provides an index that contains the first of the bytes.
  ///
  /// - Parameters:
  ///   - bytes: Validated text, which begins outside of strings and other scalars.
  ///   - offset: Its offset in the input.
  fileprivate mutating func begin(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    // In lines the walk ends with the bytes, and in other text with the index.
    let fits = isLines || range.upperBound <= offset + bytes.count
    if !fits || !range.contains(offset) { unsafe write(bytes, Self.chunkBytes, at: offset) }
    // A walk only advances: text before its last one is walked from the start of the chunk.
    // SAFETY: the kernel has written `index.count` entries, and a walk leaves `at` at most there.
    if unsafe index.at > 0, unsafe index.entries[index.at - 1] >= shift(to: offset) {
      unsafe index.at = 0
      unsafe index.row = 0
    }
  }

  /// Provides more of the bytes if the last walk has stopped at the end of the index. Returns false if it has not, or if all
  /// bytes are in the index.
  fileprivate mutating func extend(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    let count = range.upperBound - offset
    guard unsafe index.is_cut, count < min(bytes.count, Self.maxBytes) else { return false }
    unsafe write(bytes, range.lowerBound < offset ? Self.chunkBytes : count * 4, at: offset)
    return true
  }
}

extension TokenIndex {
  /// A token at which a walk through a container stops.
  enum Token {
    /// No such token is complete in the chunk.
    case none
    /// A closing bracket, or in an array also an opening one.
    case bracket
    /// The key of an array or object that is not skipped, or not complete in the chunk.
    case member
    /// A key that equals one of the names, or may equal one because it has an escape.
    case name
  }

  /// Begins a walk at an offset between the children of a container, or before or after them.
  ///
  /// - Parameter bytes: Validated text from there on.
  mutating func walk(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    unsafe begin(bytes, at: offset)
    seek(to: offset)
  }

  /// Skips entries before an offset.
  mutating func seek(to offset: Int) {
    // SAFETY: the kernel has written `index.count` entries.
    unsafe json_scan_index_seek(&index, max(offset &- range.lowerBound, 0))
  }

  /// Moves to the next token at which a walk through the innermost container stops. Passes scalars, and in an object other
  /// members too if it `skipsContainers`.
  ///
  /// - Parameters:
  ///   - window: Text that contains the chunk.
  ///   - skipped: Becomes the number of entries that were passed: in an array, the number of scalars.
  mutating func next(
    in window: UnsafeRawBufferPointer, at origin: Int, lookingFor names: KeyPatternLists.Reference, inObject: Bool,
    skipsContainers: Bool, skipped: inout Int
  ) -> Token {
    guard let base = window.baseAddress else { return .none }
    let start = unsafe index.at
    // SAFETY: the entries are offsets in the chunk, from `range.lowerBound` of the input on, and the window contains it.
    let token = unsafe json_scan_next(
      base.assumingMemoryBound(to: UInt8.self), shift(to: origin), &index,
      names.address.assumingMemoryBound(to: json_scan_names.self), inObject, skipsContainers)
    skipped = unsafe index.at &- start
    switch token {
    case JSON_SCAN_TOKEN_BRACKET: return .bracket
    case JSON_SCAN_TOKEN_MEMBER: return .member
    case JSON_SCAN_TOKEN_NAME: return .name
    default: return .none
    }
  }

  /// The offset in the input of the entry that follows the next one by `number`; `nil` behind the last one.
  func offset(after number: Int = 0) -> Int? {
    // SAFETY: the kernel has written `index.count` entries.
    unsafe index.count &- index.at > number ? range.lowerBound &+ Int(index.entries[index.at &+ number]) : nil
  }

  /// Moves past `number` entries, at most to the end of the chunk.
  mutating func skip(_ number: Int) { unsafe index.at = min(index.at &+ number, index.count) }
}

/// Scans the elements of an array that are objects, and finds in each the values to which a trie of names leads.
///
/// It processes *regular* elements only: complete objects without keys whose escapes must be decoded (defined at
/// `json_scan_elements` in `json_scan_structure.h`). It stops before any other element, so that the caller can process it.
struct TrieScan: ~Copyable {
  /// A value that was found.
  struct Value {
    /// The range in the bytes. For an inner object of the trie it is empty, at the offset of its brace.
    let range: Range<Int>
    /// The index of its element, counted from 0.
    let element: Int
    /// The number of its name in the trie.
    let branch: Int

    fileprivate init(_ value: json_scan_value) {
      range = value.start..<max(value.start, value.end)
      element = Int(value.element)
      branch = Int(value.branch)
    }
  }

  private var values = Array(repeating: json_scan_value(), count: Self.room)
  private var found = json_scan_found()
  /// Whether the last call stopped because it had no room for the values of another element.
  private(set) var isFull = false

  /// The maximum number of values that one call finds.
  private static let room = 128

  /// The number of values that the last call found.
  var count: Int { found.values }
  /// The number of elements that the last call scanned.
  var elements: Int { found.elements }
  /// A bit set: bit n is 1 if one of these elements contains object n of the trie.
  var opened: UInt32 { found.opened }

  /// Continues the scan after an element.
  ///
  /// - Parameters:
  ///   - bytes: The bytes from the white space or the comma after that element on.
  ///   - offset: Their offset in the input.
  ///   - index: An index of the input.
  ///   - trie: The names to find.
  /// - Returns: The number of used bytes, up to the end of an element.
  mutating func read(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, _ index: inout TokenIndex, along trie: inout PathTrie
  ) -> Int {
    found = json_scan_found()
    isFull = false
    guard let base = bytes.baseAddress else { return 0 }
    // SAFETY: the index is of these bytes, and the kernel writes at most `values.count` values.
    var used = 0
    unsafe index.begin(bytes, at: offset)
    repeat {
      used = unsafe json_scan_elements(
        base.assumingMemoryBound(to: UInt8.self), index.shift(to: offset), &index.index, &trie.trie, &values,
        values.count, &found)
    } while unsafe used == 0 && index.extend(bytes, at: offset)
    isFull = Self.room - count < trie.branchCount
    return used
  }

  /// A value that was found.
  subscript(_ index: Int) -> Value {
    get {
      precondition(index < count)
      return Value(values[index])
    }
  }
}

/// Scans lines that are objects, and finds in each the values to which a trie of names leads.
///
/// It stops before a line that is not regular, like a ``TrieScan``.
struct LineScan: ~Copyable {
  private var values: RawMemory
  private var lines = Array(repeating: json_scan_line(), count: Self.lineRoom)
  /// The index of a single object.
  private var index = TokenIndex(isLines: false)
  private var found = json_scan_found()

  /// The maximum numbers of values and lines that one call finds.
  private static let valueRoom = 1024
  static let lineRoom = Sizes.of(128, fuzzing: 3)

  init() { values = RawMemory(capacity: Self.valueRoom * MemoryLayout<json_scan_value>.stride) }

  /// The number of values that the last call found.
  var count: Int { found.values }
  /// The number of lines that the last call scanned.
  var lineCount: Int { found.elements }

  /// Removes the results of the last call.
  mutating func removeAll() { found = json_scan_found() }

  /// Scans complete lines.
  ///
  /// - Parameters:
  ///   - bytes: The bytes from the start of a line on.
  ///   - offset: Their offset in the input.
  ///   - index: The index of these lines, or of others.
  ///   - trie: The names to find.
  /// - Returns: The number of used bytes, all in complete lines.
  mutating func read(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, _ index: inout TokenIndex, along trie: inout PathTrie
  ) -> Int {
    found = json_scan_found()
    guard let base = bytes.baseAddress else { return 0 }
    // SAFETY: the index is of these bytes, `values` has room for `valueRoom` values, and the kernel writes at most
    // `lines.count` lines.
    var used = 0
    unsafe index.begin(bytes, at: offset)
    repeat {
      used = unsafe json_scan_lines(
        base.assumingMemoryBound(to: UInt8.self), bytes.count, index.shift(to: offset), &index.index, &trie.trie,
        values.base.assumingMemoryBound(to: json_scan_value.self), Self.valueRoom, &lines, lines.count, &found)
    } while unsafe used == 0 && index.extend(bytes, at: offset)
    return used
  }

  /// Scans one object, which becomes line 0.
  ///
  /// - Parameters:
  ///   - bytes: The bytes from the opening brace on.
  ///   - trie: The names to find.
  /// - Returns: The length of the object in bytes; 0 if it is not regular.
  mutating func read(object bytes: UnsafeRawBufferPointer, along trie: inout PathTrie) -> Int {
    found = json_scan_found()
    guard let base = bytes.baseAddress else { return 0 }
    index.forget()
    // SAFETY: the index is of these bytes, and `values` has room for one value for each name of a trie.
    var end = 0
    unsafe index.begin(bytes, at: 0)
    repeat {
      end = unsafe json_scan_record(
        base.assumingMemoryBound(to: UInt8.self), &index.index, &trie.trie,
        values.base.assumingMemoryBound(to: json_scan_value.self), &found)
    } while unsafe end == 0 && index.extend(bytes, at: 0)
    lines[0] = json_scan_line(end: end, opened: found.opened)
    return end
  }

  /// A value that was found; its `element` is the index of its line.
  subscript(_ index: Int) -> TrieScan.Value {
    get {
      precondition(index >= 0 && index < count)
      // SAFETY: the last call has written `count` values. Worth it: an array takes 1 % more instructions
      // (Scripts/measure instructions, record-fields).
      return unsafe TrieScan.Value(values.base.assumingMemoryBound(to: json_scan_value.self)[index])
    }
  }

  /// Returns the offset after the line feed of a line, and the objects of the trie that it contains: bit n is 1 for object
  /// n.
  func line(_ number: Int) -> (end: Int, opened: UInt32) {
    precondition(number < lineCount)
    let line = lines[number]
    return (line.end, line.opened)
  }
}
