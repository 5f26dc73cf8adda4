import CBenchSystem
import CRawYajl
import JSONSift

// jsonsift-bench-worker JOB PATH: does one job on a file and prints
//
//     count sum seconds peak-bytes
//
// The benchmark runs it, so that the peak is that of the job alone.

/// As much as JSONSift reads at once, so that libyajl gets the same chunks.
let readBytes = 1 << 18

struct Refused: Error {}

func work(_ job: String, _ path: String) throws -> (count: Int, sum: Double) {
  switch job {
  case "nothing":
    // What a process needs to be there at all.
    return (0, 0)
  case "yajl-lines":
    let lines = raw_yajl_lines_file(path, readBytes, 1)
    guard lines >= 0 else { throw Refused() }
    return (Int(lines), 0)
  case "yajl-document":
    guard raw_yajl_file(path, readBytes, 1) == 0 else { throw Refused() }
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
  case "matches":
    var matches = try JSONMatches(of: "$.records[*].user.id", in: .path(path))
    var answer = (count: 0, sum: 0)
    while let match = try matches.next() {
      answer.count += 1
      answer.sum += match.value.int ?? 0
    }
    return (answer.count, Double(answer.sum))
  case "parse":
    return (try JSON(contentsOf: path)["records"].count, 0)
  default: throw Refused()
  }
}

let words = CommandLine.arguments
guard words.count == 3 else { fatalError("usage: jsonsift-bench-worker JOB PATH") }
let start = bench_now()
let answer = try work(words[1], words[2])
let seconds = Double(bench_now() - start) / 1e9
print(answer.count, answer.sum, seconds, bench_peak_memory())
