/// What a proof has noted of each block of 64 bytes of a text: how few containers are open somewhere in it. With that the
/// end of a container is found without a look at most of its bytes.
struct LevelNotes: Sendable {
  /// A byte for each block; see `json_levels.h`.
  var notes: [UInt8]
  /// The offset of the first block in the text.
  var start = 0

  /// - Parameter count: How many bytes will be proven.
  init(count: Int) { notes = Array(repeating: 0, count: count / 64 + 1) }
}
