import BenchRecords
import BenchValues
import CBenchSystem
import JSONSift

// compare-jsonsift WAY JOB FILE [PLACE]: the questions of `run compare`, answered by the library. WAY is `validated` or
// `fast`. What the tool answers as well, the tool answers.
// compare-jsonsift WAY again FILE COUNT PLACE...: a document parsed COUNT times, with its values at the places.

private struct Rejected: Error {}

private func read(_ path: String) throws -> [UInt8] {
  var count = 0
  guard let bytes = bench_read_file(path, &count) else { throw Rejected() }
  defer { bench_free(bytes) }
  return Array(UnsafeRawBufferPointer(start: bytes, count: count))
}

private func run() throws {
  let words = CommandLine.arguments
  guard words.count >= 4 else { throw Rejected() }
  let (job, path) = (words[2], words[3])
  let place = words.count > 4 ? Int(words[4]) ?? 0 : 0
  var results = Results { bench_write($0.baseAddress, $0.count) }
  switch job {
  case "count": results.put(try JSON(contentsOf: path)["records"].count)
  case "some":
    let records = try JSON(contentsOf: path)["records"]
    for index in stride(from: 0, to: records.count, by: 1000) {
      if let id = records[index]["user"]["id"].int { results.put(id) }
    }
  case "value":
    guard let id = try JSON(contentsOf: path)["records"][place]["user"]["id"].int else {
      throw Rejected()
    }
    results.put(id)
  case "filter":
    var records = JSONRecordOptions(framing: .lines)
    if words[1] == "validated" { records.prefilter = .never }
    var matches = try JSONMatches(
      of: [("latency", JSONPath("$.latency_ms"))], where: JSONCondition("@.level == 'error'"), in: .path(path),
      records: records)
    while let match = try matches.next() { results.put(match.value.numberText ?? "") }
  case "decode":
    var records = try JSONRecordReader(.path(path))
    var (lines, ids) = (0, 0)
    while let line = try records.next(as: LogLine.self) {
      lines += 1
      ids += line.user.id
    }
    results.put(lines)
    results.put(ids)
  case "walk":
    var walk = Walk()
    walk.add(try JSON(contentsOf: path))
    walk.put(to: &results)
  case "again":
    let text = try read(path)
    // Names and indexes of a place have dots between them.
    let places = words.dropFirst(5).map { $0.split(separator: ".").map { (name: String($0), index: Int($0)) } }
    var sum = 0
    for _ in 0..<place {
      let json = try JSON(parsing: text)
      for place in places {
        let value = place.reduce(json) { value, step in
          if let index = step.index, value.type == .array { value[index] } else { value[step.name] }
        }
        guard let found = value.double.map({ Int(($0 * 1000).rounded()) }) ?? value.string?.utf8.count else {
          throw Rejected()
        }
        sum += found
      }
    }
    results.put(sum)
  default: throw Rejected()
  }
  results.flush()
}

do {
  try run()
} catch {
  bench_fail("compare-jsonsift: \(error)")
}
