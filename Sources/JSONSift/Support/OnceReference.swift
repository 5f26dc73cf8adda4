import Synchronization

/// A reference that is set once, by any thread, and read by all without a lock.
///
/// It does the same as `AtomicLazyReference`, which is not specialised for the types of this library: a read takes about 400
/// instructions in the standard library, and two here.
///
/// SAFETY: an object is retained before its address is published by a releasing exchange, and released when this reference
/// is destroyed. It is never replaced, so an address that was read by an acquiring load belongs to an object that lives as
/// long as the owner of this reference.
@safe struct OnceReference<Object: AnyObject>: ~Copyable {
  private let address = unsafe Atomic<UnsafeRawPointer?>(nil)

  /// The object, or `nil` if none has been set yet.
  func load() -> Object? {
    guard let address = unsafe address.load(ordering: .acquiring) else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(address).takeUnretainedValue()
  }

  /// Sets the object if none has been set yet. Returns the object that is set afterwards.
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

/// Unchecked, because the compiler cannot see that the address belongs to an object that is `Sendable`.
extension OnceReference: @unchecked Sendable where Object: Sendable {}
