import Benchmark
import JSONSift

func events() {
  let input = Input.shared
  Benchmark("Events: every event of a document, at once") { benchmark in
    for _ in benchmark.scaledIterations { blackHole(numbers(input.document, chunk: input.document.count)) }
  } setup: {
    expect(numbers(input.document, chunk: input.document.count), Input.count * 7 + 1, "numbers")
  }
  Benchmark("Events: the same in chunks of 4 KiB") { benchmark in
    for _ in benchmark.scaledIterations { blackHole(numbers(input.document, chunk: 4096)) }
  } setup: {
    expect(numbers(input.document, chunk: 4096), Input.count * 7 + 1, "numbers")
  }
}

private func numbers(_ bytes: [UInt8], chunk: Int) -> Int {
  must {
    var reader = JSONPushReader(Numbers())
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      try reader.feed(bytes[start..<min(start + chunk, bytes.count)])
    }
    try reader.finish()
    return reader.handler.count
  }
}

private struct Numbers: JSONEventHandler {
  var count = 0

  mutating func number(_ number: borrowing JSONText) throws(JSONError) -> Bool {
    count += 1
    return true
  }

  mutating func startObject(at offset: Int) throws(JSONError) -> Bool { true }
  mutating func key(_ key: borrowing JSONText) throws(JSONError) -> Bool { true }
  mutating func endObject(at offset: Int) throws(JSONError) -> Bool { true }
  mutating func startArray(at offset: Int) throws(JSONError) -> Bool { true }
  mutating func endArray(at offset: Int) throws(JSONError) -> Bool { true }
  mutating func string(_ string: borrowing JSONText) throws(JSONError) -> Bool { true }
  mutating func bool(_ value: Bool, byteRange: Range<Int>) throws(JSONError) -> Bool { true }
  mutating func null(byteRange: Range<Int>) throws(JSONError) -> Bool { true }
}
