import Synchronization

/// A reference that is set once, by any thread, and read by all without a lock.
///
/// It does what `AtomicLazyReference` does. That one is not specialised for our types: a read takes some 400 instructions
/// in the standard library, and this one two.
///
/// SAFETY: an object is retained before its address is published by a releasing exchange, and released when this reference
/// goes. It is never replaced before, so an address that was read by an acquiring load is that of an object that is
/// alive as long as the holder of this reference is.
@safe struct OnceReference<Object: AnyObject>: ~Copyable {
  private let address = unsafe Atomic<UnsafeRawPointer?>(nil)

  /// The object, or `nil` if none has been set yet.
  @inline(__always)
  func load() -> Object? {
    guard let address = unsafe address.load(ordering: .acquiring) else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(address).takeUnretainedValue()
  }

  /// Sets the object, if there is none. Returns the one that is set then.
  func storeIfNil(_ object: Object) -> Object {
    let reference = unsafe Unmanaged.passRetained(object)
    let (isDone, found) = unsafe address.compareExchange(
      expected: nil, desired: UnsafeRawPointer(reference.toOpaque()), successOrdering: .releasing,
      failureOrdering: .acquiring)
    guard !isDone, let found = unsafe found else { return object }
    unsafe reference.release()
    return unsafe Unmanaged<Object>.fromOpaque(found).takeUnretainedValue()
  }

  deinit {
    guard let address = unsafe address.load(ordering: .acquiring) else { return }
    unsafe Unmanaged<Object>.fromOpaque(address).release()
  }
}

/// Without the compiler's proof, which knows nothing of an address: it leads to an object that may be shared.
extension OnceReference: @unchecked Sendable where Object: Sendable {}
