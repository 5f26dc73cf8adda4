/// A growing row of plain elements in memory of its own.
///
/// A read or a write costs a comparison: an `Array` asks for each change whether it is shared, and a class or struct that
/// holds it pays for references.
@safe struct PlainVector<Element: BitwiseCopyable>: ~Copyable {
  private var memory: RawMemory
  /// How many elements there is room for.
  private var room = 0
  private(set) var count = 0

  init() { memory = RawMemory(capacity: 0) }

  /// SAFETY: `grow` made room for the element, and the memory is aligned to 16 bytes.
  @inline(__always)
  mutating func append(_ element: Element) {
    if count == room { grow() }
    unsafe (memory.base + count &* MemoryLayout<Element>.stride).storeBytes(of: element, as: Element.self)
    count &+= 1
  }

  /// Takes the last element away.
  @inline(__always)
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    let last = self[count &- 1]
    count &-= 1
    return last
  }

  /// SAFETY: an index below `count` is of an element that was stored.
  subscript(_ index: Int) -> Element {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      return unsafe (memory.base + index &* MemoryLayout<Element>.stride).load(as: Element.self)
    }
    @inline(__always) set {
      precondition(index >= 0 && index < count)
      unsafe (memory.base + index &* MemoryLayout<Element>.stride).storeBytes(of: newValue, as: Element.self)
    }
  }

  /// Forgets the elements. The memory is kept if it is not much.
  mutating func removeAll() {
    count = 0
    guard room > Self.keptElements else { return }
    memory = RawMemory(capacity: 0)
    room = 0
  }

  mutating func removeLast() { count = max(count - 1, 0) }

  /// Moves the elements behind the first `number` to the front.
  mutating func removeFirst(_ number: Int) {
    let number = min(max(number, 0), count)
    count -= number
    let stride = MemoryLayout<Element>.stride
    // SAFETY: both ranges are inside the elements; `copyMemory` allows that they overlap.
    unsafe memory.base.copyMemory(from: memory.base + number * stride, byteCount: count * stride)
  }

  /// Lends the bytes of the elements.
  @inline(__always)
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    unsafe body(UnsafeRawBufferPointer(start: memory.base, count: byteCount))
  }

  /// How many bytes the elements take.
  var byteCount: Int { count &* MemoryLayout<Element>.stride }

  private static var keptElements: Int { (1 << 20) / MemoryLayout<Element>.stride }

  @inline(never)
  private mutating func grow() {
    let stride = MemoryLayout<Element>.stride
    memory.grow(to: max(memory.capacity * 2, 16 * stride), keeping: count * stride)
    room = memory.capacity / stride
  }
}
