/// The text of a stream between its records, for a caller that writes the whole stream again. A ``ReadWindow`` passes it the bytes
/// that are used.
final class UsedText {
  private(set) var bytes = ByteBuffer(capacity: 64)
  /// The number of bytes to ignore, because the caller has them.
  var ignored = 0
  /// The byte up to which bytes are ignored; `nil` if they are not.
  private var separator: UInt8?
  private var isSeparatorIgnored = false

  /// Ignores the bytes up to a separator.
  func ignore(to separator: UInt8, including isSeparatorIgnored: Bool) {
    (self.separator, self.isSeparatorIgnored) = (separator, isSeparatorIgnored)
  }

  func take(_ used: UnsafeRawBufferPointer) {
    let known = min(ignored, used.count)
    ignored -= known
    var rest = unsafe UnsafeRawBufferPointer(rebasing: used[known...])
    if let separator {
      guard let end = unsafe rest.firstOffset(of: separator) else { return }
      self.separator = nil
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[(isSeparatorIgnored ? end + 1 : end)...])
    }
    unsafe bytes.append(rest)
  }

  /// Drops the last bytes.
  func drop(_ count: Int) { bytes.truncate(to: bytes.count - count) }

  /// Passes the bytes, and removes them.
  func move(_ body: (UnsafeRawBufferPointer) -> Void) {
    guard bytes.count > 0 else { return }
    unsafe bytes.withBytes { unsafe body($0) }
    bytes.removeAll(keepingAtMost: ReadWindow.readBytes)
  }
}
