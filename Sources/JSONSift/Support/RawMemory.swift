#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One block of raw memory and its owner.
///
/// A big block is a reservation of address space: pages cost nothing until they are touched, so a caller that knows an
/// upper bound reserves it and never copies. On Linux it asks for huge pages: with 4 KiB pages the first touch of a
/// fresh 100 MB costs as much as parsing it.
@safe struct RawMemory: ~Copyable {
  /// The first byte. Valid until the owner ends or grows.
  private(set) var base: UnsafeMutableRawPointer
  /// How many bytes may be used.
  private(set) var capacity: Int
  /// The block is a mapping by itself.
  private var isMapped: Bool

  /// From here on a block is mapped by itself; below, `malloc` is quicker.
  private static let mappedThreshold = 1 << 21

  init(capacity: Int) {
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

  /// Makes room for `newCapacity` bytes and keeps the first `used`.
  mutating func grow(to newCapacity: Int, keeping used: Int) {
    guard newCapacity > capacity else { return }
    var larger = RawMemory(capacity: newCapacity)
    unsafe larger.base.copyMemory(from: base, byteCount: min(used, capacity))
    swap(&self, &larger)
  }

  /// Makes this a block for `count` bytes, whose contents do not matter: larger if it is too small, and smaller if it is
  /// much too large, so that what is kept for long does not hold the memory of something that has gone.
  mutating func fit(_ count: Int) {
    guard capacity < count || capacity > Swift.max(count * 4, 4096) else { return }
    self = RawMemory(capacity: count)
  }

  /// Gives back the address space behind the first `used` bytes, of a block that will not grow any more.
  mutating func trim(to used: Int) {
    // In steps of a huge page, so that none is torn.
    let kept = (used + Self.mappedThreshold - 1) & ~(Self.mappedThreshold - 1)
    guard isMapped, kept < capacity, kept > 0 else { return }
    _ = unsafe munmap(base + kept, capacity - kept)
    capacity = kept
  }

  /// A block of address space that is backed when it is touched. `nil` where the system refuses (a limit on address
  /// space, strict overcommit): the caller then grows step by step.
  private static func map(_ count: Int) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      let flags = MAP_PRIVATE | MAP_ANON
    #else
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    #endif
    let address = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else { return nil }
    #if !canImport(Darwin)
      // MADV_HUGEPAGE, which the C library's module does not have. Advice only: a kernel without huge pages says no, and
      // nothing is lost.
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
  /// What a caller may ask for at once: an upper bound if the system grants it, else a start to grow from.
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
