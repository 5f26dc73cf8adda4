/// Scalars of one window that are parsed together: a call of libyajl for each costs several times as much as the parsing.
struct ScalarBatch: ~Copyable {
  private struct Place: BitwiseCopyable {
    let start, end: Int
    let isMember: Bool
  }

  /// The scalars as elements of an array, each with a comma behind it.
  private var text = ByteBuffer(capacity: 0)
  private var places = PlainVector<Place>()

  /// Longer ones are parsed as they come.
  static let longest = SubtreeParser.longest

  var count: Int { places.count }

  /// Where a scalar stands in its window, and whether in an object.
  subscript(_ index: Int) -> (range: Range<Int>, isMember: Bool) {
    let place = places[index]
    return (place.start..<place.end, place.isMember)
  }

  /// Adds what stands in a range of the window, as an element or as a member.
  @inline(__always)
  mutating func append(_ window: UnsafeRawBufferPointer, _ range: Range<Int>, isMember: Bool) {
    unsafe text.append(UnsafeRawBufferPointer(rebasing: window[range]))
    text.append(ASCII.comma)
    places.append(Place(start: range.lowerBound, end: range.upperBound, isMember: isMember))
  }

  /// Whether each of them is one scalar, and nothing is wrong with any.
  func areGood(values: inout SubtreeParser) -> Bool {
    unsafe text.withBytes { unsafe values.areScalars($0, count: count) }
  }

  mutating func removeAll() {
    text.removeAll(keepingAtMost: 1 << 20)
    places.removeAll()
  }
}
