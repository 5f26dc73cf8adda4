import Benchmark
import JSONSift

func tape() {
  let input = Input.shared
  let json = must { try JSON(parsing: input.document) }
  Benchmark("Tape: parse a document") { benchmark in
    for _ in benchmark.scaledIterations { blackHole(must { try JSON(parsing: input.document) }) }
  } setup: {
    expect(json["records"].count, Input.count, "records")
  }
  Benchmark("Tape: an index, a key and a number of each record") { benchmark in
    for _ in benchmark.scaledIterations { blackHole(ids(json)) }
  } setup: {
    expect(ids(json), input.ids, "ids")
  }
  Benchmark("Tape: a String of each record") { benchmark in
    for _ in benchmark.scaledIterations { blackHole(messages(json)) }
  } setup: {
    expect(messages(json), Input.count * #"cart "spring sale" updated, total 42,50 €"#.utf8.count, "messages")
  }
}

private func ids(_ json: JSON) -> Int {
  let records = json["records"]
  return (0..<records.count).reduce(0) { $0 + records[$1]["user"]["id"].intValue }
}

private func messages(_ json: JSON) -> Int {
  var length = 0
  for (_, record) in json["records"] { length += record["message"].stringValue.utf8.count }
  return length
}
