internal import CYajl

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An allocator for the small blocks that libyajl allocates for each handle. A handle lives as long as one record, and its
/// five calls of `malloc` and `free` took a sixth of the time of a short record.
///
/// Blocks are allocated one after another and released together when the next handle is created. Large blocks, and blocks
/// that do not fit, are allocated with `malloc`.
@safe final class YajlArena {
  /// SAFETY: allocated in `init`, freed in `deinit`. libyajl holds the address as long as a handle lives, and the owner of
  /// each handle holds this object.
  private let state = UnsafeMutablePointer<YajlArenaState>.allocate(capacity: 1)

  init() { unsafe state.initialize(to: YajlArenaState()) }

  deinit {
    unsafe state.pointee.deallocate()
    unsafe state.deallocate()
  }

  /// Releases all blocks. Call it only when no handle uses them.
  func reset() { unsafe state.pointee.used = 0 }

  /// The allocation functions for libyajl. It copies the table and keeps the address of the state.
  var functions: yajl_alloc_funcs {
    unsafe yajl_alloc_funcs(
      malloc: { unsafe arenaState($0).pointee.allocate($1) },
      realloc: { unsafe arenaState($0).pointee.reallocate($1, $2) },
      free: { unsafe arenaState($0).pointee.release($1) },
      ctx: UnsafeMutableRawPointer(state))
  }
}

private func arenaState(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<YajlArenaState> {
  unsafe context.unsafelyUnwrapped.assumingMemoryBound(to: YajlArenaState.self)
}

@safe private struct YajlArenaState {
  private let base: UnsafeMutableRawPointer
  var used = 0

  private static let capacity = 1 << 13
  private static let maxSize = Sizes.of(1 << 12, fuzzing: -1)
  /// The number of bytes before each block. They store its size, padded for alignment.
  private static let header = 16

  init() { unsafe base = UnsafeMutableRawPointer.allocate(byteCount: Self.capacity, alignment: 16) }

  func deallocate() { unsafe base.deallocate() }

  mutating func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
    let (rounded, overflow) = size.addingReportingOverflow(Self.header + 15)
    let needed = rounded & ~15
    guard !overflow, size <= Self.maxSize, used + needed <= Self.capacity else { return unsafe malloc(size) }
    let block = unsafe base + used + Self.header
    unsafe (base + used).storeBytes(of: size, as: Int.self)
    used += needed
    return unsafe block
  }

  mutating func reallocate(_ block: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer? {
    guard let block = unsafe block else { return unsafe allocate(size) }
    guard unsafe owns(block) else { return unsafe realloc(block, size) }
    let old = unsafe (block - Self.header).load(as: Int.self)
    guard size > old else { return unsafe block }
    guard let larger = unsafe allocate(size) else { return nil }
    unsafe larger.copyMemory(from: block, byteCount: old)
    return unsafe larger
  }

  func release(_ block: UnsafeMutableRawPointer?) {
    if let block = unsafe block, unsafe !owns(block) { unsafe free(block) }
  }

  private func owns(_ block: UnsafeMutableRawPointer) -> Bool { unsafe block >= base && block < base + Self.capacity }
}
