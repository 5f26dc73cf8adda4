#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The owner of one block of raw memory.
///
/// A large block is a reservation of address space: pages cost nothing until they are touched, so a caller that knows an
/// upper bound reserves it and never copies. On Linux a large block requests huge pages: with 4 KiB pages the first touch of
/// a fresh 100 MB costs as much as parsing it.
@usableFromInline @safe package struct RawMemory: ~Copyable {
  /// The address of the first byte. Valid until the owner is destroyed or grows.
  @usableFromInline package private(set) var base: UnsafeMutableRawPointer
  /// The number of usable bytes.
  @usableFromInline package private(set) var capacity: Int
  /// Whether the block is a mapping of its own, and not from `malloc`.
  private var isMapped: Bool

  /// The size in bytes from which a block gets a mapping of its own; `malloc` is faster for smaller blocks.
  private static let mappedThreshold = 1 << 21

  @usableFromInline package init(capacity: Int) {
    let wanted = max(capacity, 16)
    if wanted >= Self.mappedThreshold, let mapped = unsafe Self.map(wanted) {
      unsafe base = mapped
      isMapped = true
    } else {
      unsafe base = Self.allocate(wanted)
      isMapped = false
    }
    self.capacity = wanted
  }

  /// Grows to at least `newCapacity` bytes and keeps the first `used` bytes. Never shrinks.
  package mutating func grow(to newCapacity: Int, keeping used: Int) {
    guard newCapacity > capacity else { return }
    var larger = RawMemory(capacity: newCapacity)
    unsafe larger.base.copyMemory(from: base, byteCount: min(used, capacity))
    swap(&self, &larger)
  }

  /// Replaces the block if it is too small for `count` bytes, or much too large, so that a long-lived block does not keep
  /// the size of its largest content. The contents are undefined afterwards.
  package mutating func fit(_ count: Int) {
    guard capacity < count || capacity > Swift.max(count * 4, 4096) else { return }
    self = RawMemory(capacity: count)
  }

  /// Releases the address space after the first `used` bytes. For a block that does not grow any more.
  mutating func trim(to used: Int) {
    // Rounded up to huge pages, so that no huge page is split.
    let kept = (used + Self.mappedThreshold - 1) & ~(Self.mappedThreshold - 1)
    guard isMapped, kept < capacity, kept > 0 else { return }
    _ = unsafe munmap(base + kept, capacity - kept)
    capacity = kept
  }

  /// Returns a block of address space whose pages are allocated when they are touched. Returns `nil` if the system refuses
  /// (a limit on address space, strict overcommit): the caller then grows in steps.
  private static func map(_ count: Int) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      let flags = MAP_PRIVATE | MAP_ANON
    #else
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    #endif
    let address = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else { return nil }
    #if !canImport(Darwin)
      // MADV_HUGEPAGE, which the C library's module does not export. It is advice only: a kernel without huge pages returns
      // an error, which is ignored.
      _ = unsafe madvise(address, count, 14)
    #endif
    return unsafe address
  }

  private static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
  }

  deinit {
    if isMapped {
      _ = unsafe munmap(base, capacity)
    } else {
      unsafe base.deallocate()
    }
  }
}

extension RawMemory {
  /// Returns a block of `upperBound` bytes if the system can reserve it, otherwise one of `start` bytes that the caller
  /// grows.
  static func reserving(upperBound: Int, start: Int) -> RawMemory {
    if upperBound >= mappedThreshold, let mapped = unsafe map(upperBound) {
      return unsafe RawMemory(mapped: mapped, capacity: upperBound)
    }
    return RawMemory(capacity: min(start, upperBound))
  }

  private init(mapped: UnsafeMutableRawPointer, capacity: Int) {
    unsafe base = mapped
    self.capacity = capacity
    isMapped = true
  }
}
