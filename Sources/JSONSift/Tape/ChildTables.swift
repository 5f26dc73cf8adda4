import Synchronization

/// The child tables of one document. Any thread builds a table at its first use; all threads read it without a lock.
///
/// Tables of containers that begin in the same 64 tape words form a chain. A new table is inserted at the head of its chain
/// by one atomic exchange. Tables are never moved or removed before the document is filled again, so a reader sees a
/// consistent snapshot of a chain. If it does not find a table there and builds one, its exchange fails when another thread
/// was faster, and it uses the other table.
///
/// No hashing is needed: a container with a table takes at least 67 tape words, so most chains hold at most one table. The
/// longest chain has 64 tables, for containers that begin inside each other two tape words apart. All heads together take at
/// most a 64th of the tape, and a document that needs no table has no heads.
///
/// SAFETY: an address is published by a releasing exchange, after the memory that it refers to is written, and read by an
/// acquiring load. That memory is only read after the load. `removeAll` and `deinit` free it, and their callers guarantee
/// that no other reference to the document exists. An index is masked by the number of heads, so it is always in bounds.
///
/// The reason: a lookup must neither wait nor write. A lock does both, and a table that is a class has a reference count,
/// which makes a lookup by key a quarter slower. Compared with a lock and a dictionary, each of 100,000 `json[i]` takes 19
/// ns instead of 51 in one array, and 30 instead of 94 alternating between 16 arrays. With two threads at once both are 2.4
/// times as fast (medians, 2 cores, 2026-11-21).
@safe struct ChildTables: ~Copyable {
  /// A table and the link to the next one in its chain.
  @safe private struct Link: ~Copyable {
    let index: UInt32
    let table: ChildTable
    /// Set before the link is published.
    var next: UnsafeMutablePointer<Link>?
  }

  private typealias Head = Atomic<UnsafeMutablePointer<Link>?>

  /// The mask for the index of a head, in as many bytes as a head takes, followed by the heads. `nil` before the first
  /// table.
  private let heads = unsafe Atomic<UnsafeMutableRawPointer?>(nil)

  /// Calls `body` with the table of the container at `index`. Builds the table if it does not exist.
  func withTable<Result>(of index: UInt32, in document: Document, _ body: (borrowing ChildTable) -> Result) -> Result {
    if let heads = unsafe heads.load(ordering: .acquiring) {
      let first = unsafe Self.head(for: index, in: heads).pointee.load(ordering: .acquiring)
      if let link = unsafe Self.find(index, from: first, to: nil) { return unsafe body(link.pointee.table) }
    }
    return unsafe body(makeTable(of: index, in: document).pointee.table)
  }

  /// Frees the tables. Call it only when no other reference to the document exists.
  func removeAll() {
    guard let made = unsafe heads.load(ordering: .acquiring) else { return }
    unsafe heads.store(nil, ordering: .relaxed)
    for number in 0...Int(unsafe Self.mask(of: made)) {
      var next = unsafe Self.head(number, in: made).pointee.load(ordering: .acquiring)
      while let link = unsafe next {
        unsafe next = link.pointee.next
        unsafe Self.free(link)
      }
    }
    unsafe made.deallocate()
  }

  deinit { removeAll() }

  /// Builds the table of a container and publishes it. Returns the table of another thread if that thread was faster.
  @inline(never)
  private func makeTable(of index: UInt32, in document: Document) -> UnsafeMutablePointer<Link> {
    let head = unsafe Self.head(for: index, in: allocatedHeads(forWords: document.wordCount))
    let link = UnsafeMutablePointer<Link>.allocate(capacity: 1)
    unsafe link.initialize(to: Link(index: index, table: ChildTable(of: index, in: document), next: nil))
    var searched: UnsafeMutablePointer<Link>?
    var first = unsafe head.pointee.load(ordering: .acquiring)
    while true {
      if let other = unsafe Self.find(index, from: first, to: searched) {
        unsafe Self.free(link)
        return unsafe other
      }
      unsafe link.pointee.next = first
      unsafe searched = first
      let (isExchanged, current) = unsafe head.pointee.weakCompareExchange(
        expected: first, desired: link, successOrdering: .releasing, failureOrdering: .acquiring)
      if isExchanged { return unsafe link }
      unsafe first = current
    }
  }

  /// Returns the heads, and allocates them if necessary.
  private func allocatedHeads(forWords wordCount: Int) -> UnsafeMutableRawPointer {
    if let heads = unsafe heads.load(ordering: .acquiring) { return unsafe heads }
    let maxCount = max(wordCount / Self.wordsPerHead, 1)
    // A power of two, because the index is masked. Rounded down, so that at most two sections of the tape share a head.
    let count = 1 << (Int.bitWidth - 1 - maxCount.leadingZeroBitCount)
    let made = unsafe UnsafeMutableRawPointer.allocate(
      byteCount: (count + 1) * MemoryLayout<Head>.stride, alignment: MemoryLayout<Head>.alignment)
    unsafe made.storeBytes(of: UInt32(truncatingIfNeeded: count - 1), as: UInt32.self)
    for number in 0..<count { unsafe Self.head(number, in: made).initialize(to: unsafe Head(nil)) }
    let (isExchanged, current) = unsafe heads.compareExchange(
      expected: nil, desired: made, successOrdering: .releasing, failureOrdering: .acquiring)
    guard !isExchanged, let current = unsafe current else { return unsafe made }
    unsafe made.deallocate()
    return unsafe current
  }

  private static let wordsPerHead = Sizes.of(64, fuzzing: 16)

  private static func mask(of heads: UnsafeMutableRawPointer) -> UInt32 { unsafe heads.load(as: UInt32.self) }

  private static func head(_ number: Int, in heads: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Head> {
    unsafe (heads + MemoryLayout<Head>.stride).assumingMemoryBound(to: Head.self) + number
  }

  private static func head(for index: UInt32, in heads: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Head> {
    unsafe head(Int(index / UInt32(wordsPerHead) & mask(of: heads)), in: heads)
  }

  /// Returns the link of a container, searching a chain from `first` up to, but not including, `end`.
  private static func find(
    _ index: UInt32, from first: UnsafeMutablePointer<Link>?, to end: UnsafeMutablePointer<Link>?
  ) -> UnsafeMutablePointer<Link>? {
    var next = unsafe first
    while let link = unsafe next, unsafe next != end {
      if unsafe link.pointee.index == index { return unsafe link }
      unsafe next = link.pointee.next
    }
    return nil
  }

  private static func free(_ link: UnsafeMutablePointer<Link>) {
    unsafe link.deinitialize(count: 1)
    unsafe link.deallocate()
  }
}
