private import CJSONScan

/// Looks for the end of an array or object in one window after another. It looks at quotes and brackets only.
struct ContainerScan {
  private var state: json_scan_container

  /// Begins behind an opening bracket.
  init(isObject: Bool) { state = json_scan_container_opened(isObject) }

  /// Begins inside of so many containers, of which so many are objects, and looks for the end of the outermost.
  init(depth: Int, objects: Int) {
    state = json_scan_container_opened(false)
    state.depth = Int64(depth)
    state.objects = Int64(objects)
  }

  /// Goes on over the next bytes, and returns the offset of the bracket that closes the container, or `nil` if they do
  /// not hold it. When it is found, the scan has ended.
  mutating func end(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let end = unsafe json_scan_container_end(base.assumingMemoryBound(to: UInt8.self), bytes.count, &state)
    return end < bytes.count ? end : nil
  }

  /// How many containers are open; 0 when the end is found.
  var depth: Int { Int(state.depth) }

  /// Of what has ended: there were as many closing brackets of each kind as opening ones. How they cross is not known.
  var isBalanced: Bool { state.depth == 0 && state.objects == 0 }

  /// The next byte is one of a string.
  var isInString: Bool { state.in_string }
}
