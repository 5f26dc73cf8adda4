import JSONSift
import Synchronization

/// A fact about a type, computed once.
protocol TypeFact: AnyObject, Sendable {
  var type: ObjectIdentifier { get }
}

/// Facts about types, read without a lock. They live as long as the process, as types do.
@safe final class TypeTable<Fact: TypeFact>: Sendable {
  private typealias Slot = Atomic<UnsafeRawPointer?>
  private static var slotCount: Int { 512 }

  private let all = Lock<[ObjectIdentifier: Fact]>([:])
  /// The most recently used fact of all types that share a slot.
  ///
  /// SAFETY: allocated once and never freed; accessed only as atomics. A slot points to an object in `all`, which
  /// removes nothing, so the object can be used without retaining it. Worth it: every object and every property looks
  /// up its class. With the lock alone, reading models takes 15 % more instructions (callgrind, job `models` of
  /// jsonsift-bench-models).
  nonisolated(unsafe) private let slots: UnsafeMutablePointer<Slot>

  init() {
    unsafe slots = .allocate(capacity: Self.slotCount)
    for index in 0..<Self.slotCount { unsafe (slots + index).initialize(to: Slot(nil)) }
  }

  /// Returns the fact about a type. `make` may request facts about other types. If two threads create the same fact at
  /// once, one of them is discarded.
  func fact(of type: ObjectIdentifier, _ make: () -> Fact) -> Fact {
    let slot = unsafe slots + Self.slot(of: type)
    if let known = unsafe slot.pointee.load(ordering: .acquiring) {
      let fact = unsafe Unmanaged<Fact>.fromOpaque(known).takeUnretainedValue()
      if fact.type == type { return fact }
    }
    let fact = all.withLock { $0[type] } ?? added(make())
    unsafe slot.pointee.store(UnsafeRawPointer(Unmanaged.passUnretained(fact).toOpaque()), ordering: .releasing)
    return fact
  }

  private func added(_ fact: Fact) -> Fact {
    all.withLock { all in
      if let known = all[fact.type] { return known }
      all[fact.type] = fact
      return fact
    }
  }

  private static func slot(of type: ObjectIdentifier) -> Int {
    // Metadata is aligned, so the low bits carry no information.
    let bits = UInt(bitPattern: type)
    return Int(truncatingIfNeeded: (bits >> 4 ^ bits >> 13) & UInt(slotCount - 1))
  }
}
