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

/// Scans the elements of an array that are objects, and finds in each the values to which a trie of names leads.
///
/// It processes *regular* elements only: complete objects that the fast kernel can handle (defined at `json_scan_elements`
/// in `json_scan_structure.h`). It stops before any other element, so that the caller can process that one with full
/// validation.
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
  ///   - trie: The names to find.
  /// - Returns: The number of used bytes, up to the end of an element.
  mutating func read(_ bytes: UnsafeRawBufferPointer, along trie: inout PathTrie) -> Int {
    found = json_scan_found()
    isFull = false
    guard let base = bytes.baseAddress else { return 0 }
    // SAFETY: the kernel writes at most `values.count` values.
    let used = unsafe json_scan_elements(
      base.assumingMemoryBound(to: UInt8.self), bytes.count, &trie.trie, &values, values.count, &found)
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
  /// The forms of recent lines. Lines along different tries need different scans.
  private var forms: RawMemory
  private var found = json_scan_found()

  /// The maximum numbers of values and lines that one call finds.
  private static let valueRoom = 1024
  static let lineRoom = Sizes.of(128, fuzzing: 3)

  init() {
    values = RawMemory(capacity: Self.valueRoom * MemoryLayout<json_scan_value>.stride)
    forms = RawMemory(capacity: MemoryLayout<json_scan_forms>.stride)
    unsafe json_scan_forms_prepare(forms.base.assumingMemoryBound(to: json_scan_forms.self))
  }

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
  ///   - trie: The names to find.
  /// - Returns: The number of used bytes, all in complete lines.
  mutating func read(_ bytes: UnsafeRawBufferPointer, along trie: inout PathTrie) -> Int {
    found = json_scan_found()
    guard let base = bytes.baseAddress else { return 0 }
    // SAFETY: `values` has room for `valueRoom` values, and the kernel writes at most `lines.count` lines. `forms` was
    // prepared, and only the kernel changes it.
    return unsafe json_scan_lines(
      base.assumingMemoryBound(to: UInt8.self), bytes.count, &trie.trie,
      forms.base.assumingMemoryBound(to: json_scan_forms.self),
      values.base.assumingMemoryBound(to: json_scan_value.self), Self.valueRoom, &lines, lines.count, &found)
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
    // SAFETY: `values` has room for one value for each name of a trie.
    let end = unsafe json_scan_record(
      base.assumingMemoryBound(to: UInt8.self), bytes.count, &trie.trie,
      values.base.assumingMemoryBound(to: json_scan_value.self), &found)
    lines[0] = json_scan_line(end: end, opened: found.opened)
    return end
  }

  /// A value that was found; its `element` is the index of its line.
  subscript(_ index: Int) -> TrieScan.Value {
    get {
      precondition(index >= 0 && index < count)
      // SAFETY: the last call has written `count` values. Worth it: an array takes 1 % more instructions
      // (Scripts/instructions, record-fields).
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
