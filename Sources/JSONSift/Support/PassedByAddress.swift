/// A part of large structs that are borrowed for each record. With it, the compiler passes their address; without it, it copies
/// all of their bytes for each call.
struct PassedByAddress {
  /// An existential has no layout that is known when a program is compiled.
  private let content: (any Sendable)? = nil
}
