/// A value that a path has selected in a stream.
public struct JSONMatch: Sendable {
  /// The value. It owns its bytes, or shares the bytes of its record.
  public let value: JSON
  /// The range of its bytes in the input.
  public let byteRange: Range<Int>
  /// The index of the path that selected it, in the list of paths.
  public let pathIndex: Int
  /// The name of that path; the text of the path if it has no name.
  public let name: String
  /// The packed location. `nil` if the value's document stores it, or if it is computed from the document of a whole record.
  private let packedLocation: [UInt8]?
  /// Whether the packed location leads to the value's document, so that the location inside the document must be appended.
  private let isInside: Bool

  init(value: JSON, byteRange: Range<Int>, path: Int, name: String, packedLocation: [UInt8]?, isInside: Bool = false) {
    self.value = value
    self.byteRange = byteRange
    pathIndex = path
    self.name = name
    self.packedLocation = packedLocation
    self.isInside = isInside
  }

  /// Returns the same match with another range.
  func moved(to range: Range<Int>) -> JSONMatch {
    JSONMatch(
      value: value, byteRange: range, path: pathIndex, name: name, packedLocation: packedLocation, isInside: isInside)
  }

  /// The location of the value in its document or record, as a normalized path of RFC 9535.
  ///
  /// - Complexity: O(length of the location); in a record, also O(log children) on each level, after a first access that
  ///   reads the children of each large container. Computed at each access.
  public var location: JSONPath.Location {
    let outer = packedLocation.map { MatchLocation.location($0) }
    if let outer, !isInside { return outer }
    guard case .node(let document, let index) = value.storage else { return JSONPath.Location(steps: []) }
    if index == Document.root { return outer ?? MatchLocation.location(document.packedLocation) }
    return JSONPath.Location(steps: (outer?.steps ?? []) + document.location(of: index).steps)
  }
}
