import JSONSift
import Synchronization

/// What is known about a type, found out once.
protocol TypeFact: AnyObject, Sendable {
  var type: ObjectIdentifier { get }
}

/// Facts about types, read without a lock. They live as long as the process, as types do.
@safe final class TypeTable<Fact: TypeFact>: Sendable {
  private typealias Slot = Atomic<UnsafeRawPointer?>
  private static var slotCount: Int { 512 }

  private let all = Lock<[ObjectIdentifier: Fact]>([:])
  /// The fact that was asked for last, of all types that share a slot.
  ///
  /// SAFETY: allocated once, and never freed; only read and written as atomics. What a slot points to is in `all`,
  /// which forgets nothing: it can be used without a reference of its own. Worth it: every object and every property
  /// looks up its class, and a lock costs about as much as the rest of setting a property.
  nonisolated(unsafe) private let slots: UnsafeMutablePointer<Slot>

  init() {
    unsafe slots = .allocate(capacity: Self.slotCount)
    for index in 0..<Self.slotCount { unsafe (slots + index).initialize(to: Slot(nil)) }
  }

  /// The fact about a type. `make` may ask for other types; of two threads that make one at once, one throws its own
  /// away.
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
    // Metadata is aligned, so the low bits say nothing.
    let bits = UInt(bitPattern: type)
    return Int(truncatingIfNeeded: (bits >> 4 ^ bits >> 13) & UInt(slotCount - 1))
  }
}
