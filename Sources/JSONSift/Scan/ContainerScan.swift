private import CJSONScan

/// Finds the end of an array or object, window by window. It inspects only quotes, backslashes and brackets.
struct ContainerScan {
  private var state: json_scan_container

  /// Creates a scan that begins after an opening bracket.
  init(isObject: Bool) { state = json_scan_container_opened(isObject) }

  /// Creates a scan that begins inside `depth` open containers and finds the end of the outermost one.
  init(depth: Int) {
    state = json_scan_container_opened(false)
    state.depth = Int64(depth)
  }

  /// Continues the scan with the next bytes. Returns the offset of the bracket that closes the container, which ends the
  /// scan, or `nil` if `bytes` do not contain it.
  mutating func end(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let end = unsafe json_scan_container_end(base.assumingMemoryBound(to: UInt8.self), bytes.count, &state)
    return end < bytes.count ? end : nil
  }

  /// The number of open containers; 0 after the end.
  var depth: Int { Int(state.depth) }

  /// Returns a scan that finds the end of the outermost container inside this one, or `nil` if no container is open inside
  /// it.
  func forOpenChild() -> ContainerScan? {
    guard depth > 1 else { return nil }
    var child = self
    child.state.depth -= 1
    return child
  }

  /// Whether the next byte is inside a string.
  var isInString: Bool { state.in_string }

  /// Whether a backslash before the next byte escapes it.
  var isEscaped: Bool { state.escaped }
}
