/// The sizes at which the library reads, grows, gives up or switches to another algorithm.
///
/// A fuzzer generates short texts, which would never reach such a size. The trait `Fuzzing` replaces these sizes by
/// small ones, so that a text of a few hundred bytes crosses the boundary of a window, of a batch or of a lazily parsed
/// container. Results must not depend on them. Without the trait the compiler folds each call into a constant.
package enum Sizes {
  /// Returns `normal`, or `small` if the package is built with the trait `Fuzzing`.
  @inlinable @inline(__always)
  package static func of(_ normal: Int, fuzzing small: Int) -> Int {
    #if Fuzzing
      small
    #else
      normal
    #endif
  }
}
