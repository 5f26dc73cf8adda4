extension Range<Int> {
  /// Returns the first number for which a condition holds, by bisection; the upper bound if there is none. From the first
  /// number for which it holds, the condition must hold for all.
  @inline(__always)
  package func bisect(_ holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
