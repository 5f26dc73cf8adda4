import BenchRecords
import CBenchSystem
import CRawYajl
import JSONSift

// jsonsift-bench-worker JOB PATH: does one job on a file and prints
//
//     count sum seconds peak-bytes
//
// The benchmark runs it, so that the peak is that of the job alone.
//
// jsonsift-bench-worker program PROGRAM ARGUMENT...: runs a program that writes a number on each line, and prints the
// same about it.

/// As much as JSONSift reads at once, so that libyajl gets the same chunks.
let readBytes = 1 << 18

struct Rejected: Error {}

func work(_ job: String, _ path: String) throws -> (count: Int, sum: Double) {
  switch job {
  case "nothing":
    // What a process needs to be there at all.
    return (0, 0)
  case "yajl-lines":
    let lines = raw_yajl_lines_file(path, readBytes, 1)
    guard lines >= 0 else { throw Rejected() }
    return (Int(lines), 0)
  case "yajl-document":
    guard raw_yajl_file(path, readBytes, 1) == 0 else { throw Rejected() }
    return (0, 0)
  case "records":
    var reader = try JSONRecordReader(.path(path))
    var count = 0
    while try reader.next() != nil { count += 1 }
    return (count, 0)
  case "filter":
    var reader = try JSONRecordReader(.path(path))
    var answer = (count: 0, sum: 0.0)
    while let record = try reader.next() {
      if record["level"].string == "error" { answer.count += 1 }
      answer.sum += record["latency_ms"].double ?? .nan
    }
    return answer
  case "yajl-filter":
    var answer = raw_yajl_answer()
    guard raw_yajl_ask_lines_file(path, readBytes, 1, &answer) == 0 else { throw Rejected() }
    return (2, Double(answer.errors) + (answer.error_latency * 10).rounded())
  case "errors": return try errors(path, prefilter: words.count > 3 && words[3] == "never" ? .never : .automatic)
  case "errors-workers": return try errors(path, workers: words.count > 3 ? Int(words[3]) ?? 1 : 1)
  case "ask": return try ask(path, workers: words.count > 3 ? Int(words[3]) ?? 1 : 1)
  case "matches": return try matches("$.records[*].user.id", path)
  case "filtered-matches": return try matches("$.records[?@.level == 'error'].user.id", path)
  case "descendants": return try matches("$..id", path)
  case "kept":
    let kept = try JSON(contentsOf: path, keeping: ["$.records[*].user.id"])
    var answer = (count: 0, sum: 0)
    for record in kept["records"].arrayValue {
      answer.count += 1
      answer.sum += record["user"]["id"].intValue
    }
    return (answer.count, Double(answer.sum))
  case "five-paths":
    let below = ["user.id", "latency_ms", "level", "request.status", "host"]
    var matches = try JSONMatches(
      of: below.map { ($0, try JSONPath("$.records[*].\($0)")) }, in: .path(path))
    var answer = (count: 0, ids: 0)
    while let match = try matches.next() {
      answer.count += 1
      if match.pathIndex == 0 { answer.ids += match.value.int ?? 0 }
    }
    return (answer.count, Double(answer.ids))
  case "decode-records":
    var records = try JSONRecordReader(.path(path))
    var answer = (count: 0, sum: 0.0)
    while let line = try records.next(as: LogLine.self) {
      answer.count += 1
      answer.sum += line.latency_ms
    }
    return answer
  case "encode-records":
    // The first thousand, again and again.
    var records = try JSONRecordReader(.path(path))
    var values: [LogLine] = []
    while values.count < 1000, let line = try records.next(as: LogLine.self) { values.append(line) }
    var answer = (count: 0, sum: 0.0)
    let encoder = JSONSiftEncoder()
    for _ in 0..<10 {
      try encoder.writeLines(values) { answer.count += $0.count }
    }
    return answer
  case "decode-wide":
    var records = try JSONRecordReader(.path(path))
    var answer = (count: 0, sum: 0.0)
    while let record = try records.next(as: WorkerNarrow.self) {
      answer.count += 1
      answer.sum += Double(record.f03 + record.f37)
    }
    return answer
  case "value", "mapped-value":
    let json = try JSON(contentsOf: path, loading: job == "value" ? .copied : .mapped)
    let place = words.count > 3 ? Int(words[3]) ?? 0 : 0
    return (1, Double(json["records"][place]["user"]["id"].int ?? -1))
  case "parse":
    return (try JSON(contentsOf: path)["records"].count, 0)
  default: throw Rejected()
  }
}

/// Two numbers: how many records are errors, and the sum of their latencies in tenths.
func ask(_ path: String, workers: Int) throws -> (count: Int, sum: Double) {
  var errors = 0
  var latency = 0.0
  if workers == 1 {
    var reader = try JSONRecordReader(.path(path))
    while let record = try reader.next() {
      if record["level"].string == "error" { errors += 1 }
      latency += record["latency_ms"].double ?? .nan
    }
  } else {
    var blocks = try JSONRecordBlocks(.path(path), workers: workers) { reader in
      var found = (errors: 0, latency: 0.0)
      while let record = try reader.next() {
        if record["level"].string == "error" { found.errors += 1 }
        found.latency += record["latency_ms"].double ?? .nan
      }
      return found
    }
    while let found = try blocks.next() {
      errors += found.errors
      latency += found.latency
    }
  }
  return (2, Double(errors) + (latency * 10).rounded())
}

func matches(
  _ query: String, _ path: String, options: JSONOptions = JSONOptions()
) throws -> (count: Int, sum: Double) {
  var matches = try JSONMatches(of: JSONPath(query), in: .path(path), options: options)
  var answer = (count: 0, sum: 0)
  while let match = try matches.next() {
    answer.count += 1
    answer.sum += match.value.int ?? 0
  }
  return (answer.count, Double(answer.sum))
}

/// Runs a program that is none of ours.
func program(_ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws -> bench_program {
  var program = bench_program()
  guard bench_run_program(arguments, &program) == 0, program.others == 0 else { throw Rejected() }
  return program
}

let words = CommandLine.arguments
guard words.count >= 3 else { fatalError("usage: jsonsift-bench-worker JOB PATH") }
let start = bench_now()
if words[1] == "program" {
  let found = try program(CommandLine.unsafeArgv + 2)
  print(found.lines, Double(found.sum), Double(bench_now() - start) / 1e9, found.peak)
} else {
  let answer =
    switch words[1] {
    case "no-actor": try await recordsOnNoActor(words[2])
    case "main-actor": try await recordsOnMainActor(words[2])
    default: try work(words[1], words[2])
    }
  print(answer.count, answer.sum, Double(bench_now() - start) / 1e9, bench_peak_memory())
}
