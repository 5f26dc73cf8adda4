import CBenchSystem

/// Seconds that `body` takes.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = bench_now()
  try body()
  return Double(bench_now() - start) / 1e9
}

/// Seconds of one run of `body` out of `count`.
func seconds(perRunOf count: Int, _ body: () throws -> Void) rethrows -> Double {
  try seconds { for _ in 0..<count { try body() } } / Double(count)
}

/// Takes a result, so that the work that made it is not optimised away.
func blackHole(_ value: Int) { bench_black_hole(Int64(value)) }
