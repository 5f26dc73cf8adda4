import BenchObjects
import BenchRecords
import CBenchSystem
import Foundation

// compare-foundation WAY JOB FILE [PLACE]: the questions of `run compare`, answered by Foundation, as somebody writes it
// who wants just this answer. WAY is `serialization` (JSONSerialization and casts) or `decoder` (JSONDecoder and types
// that have only what is asked for).
// compare-foundation serialization again FILE COUNT PLACE...: a document parsed COUNT times, its values at the places.

private struct Rejected: Error {}

private struct Document: Decodable {
  var records: [Record]
}

private struct Record: Decodable {
  var user: User?
  struct User: Decodable { var id: Int }
}

private struct Line: Decodable {
  var level: String
  var latency_ms: Double
}

private func run() throws {
  let words = CommandLine.arguments
  guard words.count >= 4 else { throw Rejected() }
  let (way, job, path) = (words[1], words[2], words[3])
  let place = words.count > 4 ? Int(words[4]) ?? 0 : 0
  var results = Results { bench_write($0.baseAddress, $0.count) }
  defer { results.flush() }
  let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
  switch (way, job) {
  case ("serialization", "filter"):
    try eachLine(data) { line in
      let record = try JSONSerialization.jsonObject(with: line) as? [String: Any]
      guard record?["level"] as? String == "error" else { return }
      guard let latency = record?["latency_ms"] as? Double else { throw Rejected() }
      results.put("\(latency)")
    }
  case ("decoder", "filter"):
    let decoder = JSONDecoder()
    try eachLine(data) { line in
      let record = try decoder.decode(Line.self, from: line)
      if record.level == "error" { results.put("\(record.latency_ms)") }
    }
  case ("decoder", "decode"):
    let decoder = JSONDecoder()
    var (lines, ids) = (0, 0)
    try eachLine(data) { line in
      let record = try decoder.decode(LogLine.self, from: line)
      lines += 1
      ids += record.user.id
    }
    results.put(lines)
    results.put(ids)
  case ("serialization", "walk"):
    var walk = Walk()
    walk.add(try JSONSerialization.jsonObject(with: data))
    walk.put(to: &results)
  case ("serialization", "texts-document"):
    _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    results.put(1)
  case ("serialization", "texts-lines"):
    var count = 0
    try eachLine(data) { line in
      _ = try JSONSerialization.jsonObject(with: line, options: .fragmentsAllowed)
      count += 1
    }
    results.put(count)
  case ("serialization", "again"):
    let text = Data([UInt8](data))
    let places = words.dropFirst(5).map { $0.split(separator: ".").map(String.init) }
    var sum = 0
    for _ in 0..<place {
      let json = try JSONSerialization.jsonObject(with: text)
      for place in places {
        let value = place.reduce(json as Any?) { value, step in
          (value as? [String: Any])?[step] ?? Int(step).flatMap { (value as? [Any])?[$0] }
        }
        if let text = value as? String {
          sum += text.utf8.count
        } else if let number = value as? NSNumber {
          sum += Int((number.doubleValue * 1000).rounded())
        } else {
          throw Rejected()
        }
      }
    }
    results.put(sum)
  case ("serialization", _):
    let root = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    guard let records = root?["records"] as? [Any] else { throw Rejected() }
    func id(_ record: Any) -> Int? {
      (((record as? [String: Any])?["user"] as? [String: Any])?["id"] as? NSNumber)?.intValue
    }
    try answer(job, place, records, id, &results)
  case ("decoder", _):
    try answer(job, place, JSONDecoder().decode(Document.self, from: data).records, { $0.user?.id }, &results)
  default: throw Rejected()
  }
}

private func answer<Element>(
  _ job: String, _ place: Int, _ records: [Element], _ id: (Element) -> Int?, _ results: inout Results
) throws {
  switch job {
  case "count": results.put(records.count)
  case "value":
    guard records.indices.contains(place), let id = id(records[place]) else { throw Rejected() }
    results.put(id)
  case "path", "some":
    for index in stride(from: 0, to: records.count, by: job == "some" ? 1000 : 1) {
      if let id = id(records[index]) { results.put(id) }
    }
  default: throw Rejected()
  }
}

/// Lines without a copy, so that Foundation does not pay for one; each in a pool of its own where there are pools.
private func eachLine(_ data: Data, _ body: (Data) throws -> Void) throws {
  try data.withUnsafeBytes { bytes in
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      let end = bench_line_end(start, rest.count)
      let line = Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: end, deallocator: .none)
      #if canImport(ObjectiveC)
        if end > 0 { try autoreleasepool { try body(line) } }
      #else
        if end > 0 { try body(line) }
      #endif
      rest = UnsafeRawBufferPointer(rebasing: rest[min(end + 1, rest.count)...])
    }
  }
}

do {
  try run()
} catch {
  FileHandle.standardError.write(Data("compare-foundation: \(error)\n".utf8))
  exit(1)
}
