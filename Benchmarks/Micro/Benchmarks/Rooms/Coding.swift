import Benchmark
import JSONSift

func coding() {
  let input = Input.shared
  Benchmark("Coding: a log into a type with every member") { benchmark in
    for _ in benchmark.scaledIterations { blackHole(decoded(input.log).count) }
  } setup: {
    expect(decoded(input.log).reduce(0) { $0 + $1.user.id }, input.ids, "ids")
  }
  let lines = decoded(input.log)
  Benchmark("Coding: the same, written") { benchmark in
    for _ in benchmark.scaledIterations { blackHole(encoded(lines).count) }
  } setup: {
    expect(decoded(encoded(lines)).reduce(0) { $0 + $1.user.id }, input.ids, "ids that were written")
  }
}

private func decoded(_ bytes: [UInt8]) -> [InputLine] {
  must {
    var records = try JSONRecordReader(.bytes(bytes))
    var lines: [InputLine] = []
    while let line = try records.next(as: InputLine.self) { lines.append(line) }
    return lines
  }
}

private func encoded(_ lines: [InputLine]) -> [UInt8] {
  must {
    var bytes: [UInt8] = []
    try JSONSiftEncoder().writeLines(lines) { bytes += $0 }
    return bytes
  }
}
