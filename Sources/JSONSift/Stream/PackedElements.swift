/// The last elements of an array, packed, for a selector that counts from the end.
struct PackedElements: ~Copyable {
  private(set) var store = PackedValues()
  private var elements = PlainVector<PackedValue>()
  private var first = 0
  /// The position in the array of the first element that is held.
  private(set) var position = 0
  /// The total length in bytes of the texts that are held.
  private(set) var textBytes = 0

  /// The number of elements that are held.
  var count: Int { elements.count - first }

  /// The number of elements that the array has had so far.
  var total: Int { position + count }

  /// The memory of the elements in bytes, without their texts.
  var restBytes: Int { store.byteCount - store.droppedBytes - textBytes + count * MemoryLayout<PackedValue>.stride }

  /// The element at a position of the array. The element must be held.
  subscript(_ position: Int) -> PackedValue { elements[first + position - self.position] }

  mutating func append(_ slice: TapeWordSlice, _ source: UnsafeRawBufferPointer, at start: Int) {
    makeRoom()
    unsafe elements.append(store.append(slice, source, at: start))
    textBytes += source.count
  }

  /// Removes the first element. It remains readable until the next element is appended.
  mutating func removeFirst() -> PackedValue {
    let value = elements[first]
    textBytes -= store.textCount(value)
    store.drop(value)
    first += 1
    position += 1
    return value
  }

  mutating func removeAll() {
    store.removeAll()
    elements.removeAll()
    first = 0
    position = 0
    textBytes = 0
  }

  /// Removes the storage of dropped elements, once they are more than the held ones, so that each element is moved about
  /// once.
  private mutating func makeRoom() {
    guard first > count, first > 4096 || store.droppedBytes > 1 << 16 else { return }
    let dropped = store.removeDropped()
    elements.removeFirst(first)
    first = 0
    for index in 0..<elements.count { elements[index] = elements[index].moved(back: dropped) }
  }
}
