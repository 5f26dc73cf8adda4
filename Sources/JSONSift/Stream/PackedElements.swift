/// The last elements of an array, packed, for a selector that counts from the end.
struct PackedElements: ~Copyable {
  private(set) var store = PackedValues()
  private var elements = PlainVector<PackedValue>()
  private var first = 0
  /// The position of the first one that is here.
  private(set) var position = 0
  /// How long the texts are that are held.
  private(set) var textBytes = 0

  /// How many are held.
  var count: Int { elements.count - first }

  /// How many the array has had.
  var total: Int { position + count }

  /// What the elements cost besides their texts.
  var restBytes: Int { store.byteCount - store.droppedBytes - textBytes + count * MemoryLayout<PackedValue>.stride }

  /// The element at a position of the array, which must be one that is held.
  subscript(_ position: Int) -> PackedValue { elements[first + position - self.position] }

  mutating func append(_ slice: WordSlice, _ source: UnsafeRawBufferPointer, at start: Int) {
    makeRoom()
    unsafe elements.append(store.append(slice, source, at: start))
    textBytes += source.count
  }

  /// Lets go of the first one. It stays readable until another one is appended.
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

  /// Forgets what was let go of, once that is more elements than are held: so an element is moved about once.
  private mutating func makeRoom() {
    guard first > count, first > 4096 || store.droppedBytes > 1 << 16 else { return }
    let dropped = store.removeDropped()
    elements.removeFirst(first)
    first = 0
    for index in 0..<elements.count { elements[index] = elements[index].moved(back: dropped) }
  }
}
