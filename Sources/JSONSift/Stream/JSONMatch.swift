/// One value that a path has selected in a stream.
public struct JSONMatch: Sendable {
  /// The value. It holds its own bytes, or its record.
  public let value: JSON
  /// Its bytes in the input.
  public let byteRange: Range<Int>
  /// Which of the paths has selected it: its place in the list.
  public let path: Int
  /// The name of that path, or its text if it was given none.
  public let name: String
  /// The packed place, where neither the value's document has it nor the value stands in a whole record.
  private let place: [UInt8]?
  /// The place is that of the value's document, in which it stands somewhere.
  private let isInside: Bool

  init(
    value: JSON, byteRange: Range<Int>, path: Int, name: String, place: [UInt8]?, isInside: Bool = false
  ) {
    self.value = value
    self.byteRange = byteRange
    self.path = path
    self.name = name
    self.place = place
    self.isInside = isInside
  }

  /// Where the value stands in its document or record, as a normalized path of RFC 9535.
  ///
  /// - Complexity: O(its length); in a record, O(values that stand before it on each level). Made anew by each call.
  public var location: PathLocation {
    let outer = place.map { MatchLocation.location($0) }
    if let outer, !isInside { return outer }
    guard case .node(let document, let index) = value.storage else { return PathLocation(steps: []) }
    if index == Document.root { return outer ?? MatchLocation.location(document.place) }
    return PathLocation(steps: (outer?.steps ?? []) + document.location(of: index).steps)
  }
}
