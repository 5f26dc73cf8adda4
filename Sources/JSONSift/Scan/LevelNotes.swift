/// The minimum number of open containers in each block of 64 bytes of a text, recorded while ``ValidationScan`` validates it.
/// With these notes a scan finds the end of a container without reading most of its bytes.
struct LevelNotes: Sendable {
  /// One byte for each block; see `json_levels.h`.
  var notes: [UInt8]
  /// The offset of the first block in the text.
  var start = 0

  /// Creates empty notes.
  ///
  /// - Parameter count: The number of bytes that will be validated.
  init(count: Int) { notes = Array(repeating: 0, count: count / 64 + 1) }
}
