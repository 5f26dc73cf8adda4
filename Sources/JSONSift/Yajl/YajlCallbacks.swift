private import CYajl

/// libyajl keeps the address that it is given, so the table must outlive every parser: one table, shared by all of them,
/// never freed.
///
/// SAFETY: filled in before its address is published, and only read after that.
nonisolated(unsafe) private let callbackTable: UnsafePointer<yajl_callbacks> = {
  let table = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
  unsafe table.initialize(to: yajl_callbacks())
  unsafe table.pointee.yajl_null = { unsafe context($0).pointee.scalar(.null, length: 4) }
  unsafe table.pointee.yajl_boolean = {
    unsafe $1 != 0 ? context($0).pointee.scalar(.true, length: 4) : context($0).pointee.scalar(.false, length: 5)
  }
  unsafe table.pointee.yajl_number = { unsafe context($0).pointee.number($1, $2) }
  unsafe table.pointee.yajl_string = { unsafe context($0).pointee.string($1, $2) }
  unsafe table.pointee.yajl_map_key = { unsafe context($0).pointee.key($1, $2) }
  unsafe table.pointee.yajl_start_map = { unsafe context($0).pointee.start(.objectStart) }
  unsafe table.pointee.yajl_end_map = { unsafe context($0).pointee.end(.objectEnd) }
  unsafe table.pointee.yajl_start_array = { unsafe context($0).pointee.start(.arrayStart) }
  unsafe table.pointee.yajl_end_array = { unsafe context($0).pointee.end(.arrayEnd) }
  return unsafe UnsafePointer(table)
}()

/// The way back from libyajl's `void *` to our context.
///
/// SAFETY: only `YajlHandle.init` sets it, to memory that the parser frees after the handle. So it exists whenever
/// libyajl can call, and libyajl calls from one thread at a time.
@inline(__always)
private func context(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<YajlContext> {
  unsafe raw.unsafelyUnwrapped.assumingMemoryBound(to: YajlContext.self)
}

/// How a call to libyajl ended.
enum YajlStatus {
  case ok, cancelled, error
}

/// One libyajl handle and its owner: made here, freed here, once.
@safe struct YajlHandle: ~Copyable {
  private let handle: OpaquePointer
  /// Where libyajl's memory comes from, until it is freed.
  private let arena: YajlArena

  /// `nil` if memory cannot be had.
  init?(context: UnsafeMutablePointer<YajlContext>, arena: YajlArena) {
    arena.reset()
    var functions = unsafe arena.functions
    guard let made = unsafe yajl_alloc(callbackTable, &functions, context) else { return nil }
    unsafe handle = made
    self.arena = arena
    // Bytes are checked by `CJSONScan`: faster, and strictly.
    _ = unsafe cyajl_set(made, yajl_dont_validate_strings, 1)
    unsafe context.pointee.handle = made
  }

  mutating func parse(_ bytes: UnsafeRawBufferPointer) -> YajlStatus {
    let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    return unsafe Self.status(yajl_parse(handle, base, bytes.count))
  }

  /// Says that there are no more bytes.
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
