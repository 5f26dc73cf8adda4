import CBenchSystem
import Foundation
import SGYSwiftJSON

// jsonsift-bench-models JOB PATH: reads a file into objects and prints, as jsonsift-bench-worker does,
//
//     count sum seconds peak-bytes
//
// It is a program of its own because it links Foundation. The seconds are those of the last pass, without reading the file.

/// Both sides make objects of this class.
final class Record: JSONCreatableObject, Decodable {
  var id = 0
  var name = ""
  var email: String?
  var active = false
  var score = 0.0
  var level: Int32 = 0
  var city: String?
  var tags: [String] = []

  /// A number that every property goes into.
  var sum: Int {
    id &+ name.utf8.count &+ (email?.utf8.count ?? 1000) &+ (active ? 1 : 0) &+ Int(score * 8) &+ Int(level)
      &+ (city?.utf8.count ?? 2000) &+ tags.reduce(0) { $0 &+ $1.utf8.count }
  }
}

struct Rejected: Error {}

typealias Answer = (count: Int, sum: Int)

func answer(_ records: [Record]) -> Answer { (records.count, records.reduce(0) { $0 &+ $1.sum }) }

/// Makes all objects, looks at all of them, and lets them go, some times.
func passes(_ count: Int, _ make: () throws -> [Record]) throws -> (Answer, Double) {
  var last: (Answer, Double) = ((0, 0), 0)
  for _ in 0..<count {
    let start = bench_now()
    let records = try make()
    let seconds = Double(bench_now() - start) / 1e9
    last = (answer(records), seconds)
  }
  return last
}

func work(_ job: String, _ path: String) throws -> (Answer, Double) {
  func data() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }
  switch job {
  case "nothing": return ((0, 0), 0)
  case "decoder":
    let data = try data()
    return try passes(1) { try JSONDecoder().decode([Record].self, from: data) }
  case "models", "models-5":
    let data = try data()
    return try passes(job == "models" ? 1 : 5) { try SGYJSONDeserializer().deserialize(data) }
  case "stream":
    let start = bench_now()
    var records = try SGYJSONDeserializer().models(of: Record.self, at: "$[*]", in: .path(path))
    var answer: Answer = (0, 0)
    while let record = try records.next() {
      answer.count += 1
      answer.sum &+= record.sum
    }
    return (answer, Double(bench_now() - start) / 1e9)
  default: throw Rejected()
  }
}

let words = CommandLine.arguments
guard words.count == 3 else { fatalError("usage: jsonsift-bench-models JOB PATH") }
let (found, seconds) = try work(words[1], words[2])
print(found.count, Double(found.sum), seconds, bench_peak_memory())
