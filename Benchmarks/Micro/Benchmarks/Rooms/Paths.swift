import Benchmark
import JSONSift

func paths() {
  let input = Input.shared
  let all = ("all", JSONPath("$.records[*].user.id"), Input.count)
  let some = ("a filter", JSONPath("$.records[?@.level == 'error'].user.id"), input.errors)
  let deep = ("any depth", JSONPath("$..id"), Input.count)
  for (name, path, count) in [all, some, deep] {
    Benchmark("Paths: a stream, \(name)") { benchmark in
      for _ in benchmark.scaledIterations { blackHole(matches(path, input.document, JSONOptions())) }
    } setup: {
      expect(matches(path, input.document, JSONOptions()), count, name)
    }
  }
}

private func matches(_ path: JSONPath, _ bytes: [UInt8], _ options: JSONOptions) -> Int {
  must {
    var matches = try JSONMatches(of: path, in: .bytes(bytes), options: options)
    var count = 0
    while try matches.next() != nil { count += 1 }
    return count
  }
}
