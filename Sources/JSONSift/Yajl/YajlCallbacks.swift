private import CYajl

/// The callback table. libyajl keeps its address, so it must outlive every parser: one table is shared by all parsers and
/// never freed.
///
/// SAFETY: initialized before its address is published, and only read after that.
nonisolated(unsafe) private let callbackTable: UnsafePointer<yajl_callbacks> = {
  let table = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
  unsafe table.initialize(to: yajl_callbacks())
  unsafe table.pointee.yajl_null = onNull
  unsafe table.pointee.yajl_boolean = onBoolean
  unsafe table.pointee.yajl_number = onNumber
  unsafe table.pointee.yajl_string = onString
  unsafe table.pointee.yajl_map_key = onKey
  unsafe table.pointee.yajl_start_map = onObjectStart
  unsafe table.pointee.yajl_end_map = onObjectEnd
  unsafe table.pointee.yajl_start_array = onArrayStart
  unsafe table.pointee.yajl_end_array = onArrayEnd
  return unsafe UnsafePointer(table)
}()

/// Converts libyajl's `void *` back to the context.
///
/// SAFETY: only `YajlHandle.init` sets the pointer, to memory that the parser frees after the handle. So it is valid
/// whenever libyajl can call back, and libyajl calls back on one thread at a time.
private func context(_ raw: UnsafeMutableRawPointer?) -> YajlContext.Pointer {
  unsafe raw.unsafelyUnwrapped.assumingMemoryBound(to: YajlContext.self)
}

// Always inlined, so that the function that C calls contains the work. A closure would compile to a function that only
// jumps.

// Forced inlining in this file saves 2.6 % of `events` (Scripts/measure instructions).
@inline(__always)
private func onNull(_ raw: UnsafeMutableRawPointer?) -> Int32 {
  unsafe YajlContext.scalar(context(raw), .null, length: 4)
}

@inline(__always)
private func onBoolean(_ raw: UnsafeMutableRawPointer?, _ value: Int32) -> Int32 {
  unsafe value != 0
    ? YajlContext.scalar(context(raw), .true, length: 4) : YajlContext.scalar(context(raw), .false, length: 5)
}

@inline(__always)
private func onNumber(_ raw: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
  unsafe YajlContext.number(context(raw), text, count)
}

@inline(__always)
private func onString(_ raw: UnsafeMutableRawPointer?, _ text: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe YajlContext.string(context(raw), text, count)
}

@inline(__always)
private func onKey(_ raw: UnsafeMutableRawPointer?, _ text: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe YajlContext.key(context(raw), text, count)
}

@inline(__always)
private func onObjectStart(_ raw: UnsafeMutableRawPointer?) -> Int32 {
  unsafe YajlContext.start(context(raw), .objectStart)
}

@inline(__always)
private func onObjectEnd(_ raw: UnsafeMutableRawPointer?) -> Int32 { unsafe YajlContext.end(context(raw), .objectEnd) }

@inline(__always)
private func onArrayStart(_ raw: UnsafeMutableRawPointer?) -> Int32 {
  unsafe YajlContext.start(context(raw), .arrayStart)
}

@inline(__always)
private func onArrayEnd(_ raw: UnsafeMutableRawPointer?) -> Int32 { unsafe YajlContext.end(context(raw), .arrayEnd) }

/// The result of a call to libyajl.
enum YajlStatus {
  case ok, cancelled, error
}

/// The owner of one libyajl handle: allocates it in `init` and frees it in `deinit`.
@safe struct YajlHandle: ~Copyable {
  private let handle: OpaquePointer
  /// The allocator of the handle's memory. It must live until the handle is freed.
  private let arena: YajlArena

  /// Returns `nil` if memory cannot be allocated.
  init?(context: UnsafeMutablePointer<YajlContext>, arena: YajlArena) {
    arena.reset()
    var functions = unsafe arena.functions
    guard let made = unsafe yajl_alloc(callbackTable, &functions, context) else { return nil }
    unsafe handle = made
    self.arena = arena
    // `CJSONScan` validates UTF-8 instead: faster, and strictly.
    _ = unsafe cyajl_set(made, yajl_dont_validate_strings, 1)
    unsafe context.pointee.handle = made
  }

  mutating func parse(_ bytes: UnsafeRawBufferPointer) -> YajlStatus {
    let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    return unsafe Self.status(yajl_parse(handle, base, bytes.count))
  }

  /// Notifies libyajl that there are no more bytes.
  mutating func complete() -> YajlStatus { unsafe Self.status(yajl_complete_parse(handle)) }

  private static func status(_ status: yajl_status) -> YajlStatus {
    switch status {
    case yajl_status_ok: .ok
    case yajl_status_client_canceled: .cancelled
    default: .error
    }
  }

  deinit { unsafe yajl_free(handle) }
}
