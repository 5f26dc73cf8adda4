/// A growable array of trivial elements in memory that it owns.
///
/// A read or a write costs one comparison. Worth it: an `Array`, which checks before each mutation whether its storage is
/// shared, takes 1.4 % more instructions (Scripts/measure instructions, fields).
@usableFromInline @safe package struct PlainVector<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var memory: RawMemory
  /// The number of elements that fit into `memory`.
  @usableFromInline var room = 0
  @usableFromInline var stored = 0

  @inlinable package var count: Int { stored }

  @inlinable package init() { memory = RawMemory(capacity: 0) }

  /// Appends an element.
  ///
  /// SAFETY: `grow` made room for the element, and the memory is aligned to 16 bytes.
  @inlinable package mutating func append(_ element: Element) {
    if count == room { grow() }
    unsafe (memory.base + count &* MemoryLayout<Element>.stride).storeBytes(of: element, as: Element.self)
    stored &+= 1
  }

  /// Removes and returns the last element, or returns `nil` if there are no elements.
  @inlinable package mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    let last = self[count &- 1]
    stored &-= 1
    return last
  }

  /// SAFETY: every index below `count` belongs to an element that was stored.
  @inlinable package subscript(_ index: Int) -> Element {
    get {
      precondition(index >= 0 && index < count)
      return unsafe (memory.base + index &* MemoryLayout<Element>.stride).load(as: Element.self)
    }
    set {
      precondition(index >= 0 && index < count)
      unsafe (memory.base + index &* MemoryLayout<Element>.stride).storeBytes(of: newValue, as: Element.self)
    }
  }

  /// Removes all elements. Keeps the memory if it is at most 1 MiB.
  @inlinable package mutating func removeAll() {
    stored = 0
    guard room > Self.keptElements else { return }
    memory = RawMemory(capacity: 0)
    room = 0
  }

  @inlinable package mutating func removeLast() { stored = max(count - 1, 0) }

  /// Removes the first `number` elements, and moves the others to the front.
  @inlinable package mutating func removeFirst(_ number: Int) {
    let number = min(max(number, 0), count)
    stored -= number
    let stride = MemoryLayout<Element>.stride
    // SAFETY: both ranges are inside the elements; `copyMemory` allows that they overlap.
    unsafe memory.base.copyMemory(from: memory.base + number * stride, byteCount: count * stride)
  }

  /// Calls `body` with the bytes of the elements.
  @inlinable package func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    unsafe body(UnsafeRawBufferPointer(start: memory.base, count: byteCount))
  }

  /// The size of the elements in bytes.
  @inlinable package var byteCount: Int { count &* MemoryLayout<Element>.stride }

  @inlinable static var keptElements: Int { (1 << 20) / MemoryLayout<Element>.stride }

  @inline(never)
  @usableFromInline mutating func grow() {
    let stride = MemoryLayout<Element>.stride
    memory.grow(to: max(memory.capacity * 2, 16 * stride), keeping: count * stride)
    room = memory.capacity / stride
  }
}
