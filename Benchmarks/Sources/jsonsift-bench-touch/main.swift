import JSONSift

// What does a text cost, by what of it is touched? To be run under a tool that counts instructions, those of libyajl
// included:
//
//     valgrind --tool=callgrind --callgrind-out-file=/dev/null jsonsift-bench-touch JOB FILE [TIMES]
//
// The difference between two jobs, or between two numbers of times, is the cost of what one of them does besides. Each job
// prints what it found.

/// The job does its work in a function that is not isolated to the main actor.
func touch(_ job: String, _ path: String, _ times: Int) throws -> Int {
  let json = try JSON(contentsOf: path)
  var answer = 0
  for _ in 0..<times {
    switch job {
    case "walk": answer &+= walked(json)
    case "equal": answer &+= try json == JSON(contentsOf: path) ? 1 : 0
    case "write": answer &+= try json.bytes(.compact).count
    case "change":
      var changed = json
      change(&changed, depth: 5)
      answer &+= try changed.bytes(.compact).count
    case "index":
      let list = longest(json)
      for index in 0..<list.count { answer &+= list[index].isEmpty ? 1 : 2 }
    case "keys":
      for key in 0..<json.count { answer &+= json["k\(key)"].intValue }
    default: throw Unknown(job: job)
    }
  }
  return answer
}

struct Unknown: Error {
  let job: String
}

/// Every value below.
func walked(_ json: JSON) -> Int {
  switch json.type {
  case .dictionary: return json.reduce(1) { $0 &+ $1.0.utf8.count &+ walked($1.1) }
  case .array: return json.reduce(1) { $0 &+ walked($1.1) }
  case .string: return json.stringValue.utf8.count
  case .number: return Int(truncatingIfNeeded: json.doubleValue.bitPattern >> 40)
  default: return json.boolValue ? 2 : 1
  }
}

/// Changes the first value that lies this deep, or as deep as there is one.
func change(_ json: inout JSON, depth: Int) {
  guard depth > 0, let first = json.first else {
    json = 1
    return
  }
  if json.type == .array {
    change(&json[0], depth: depth - 1)
  } else {
    change(&json[first.0], depth: depth - 1)
  }
}

/// The value itself, or the first array in it.
func longest(_ json: JSON) -> JSON {
  if json.type == .array { return json }
  for (_, value) in json where value.type == .array { return value }
  return json
}

let arguments = CommandLine.arguments
guard arguments.count > 2 else {
  print("usage: jsonsift-bench-touch walk|equal|write|change|index|keys FILE [TIMES]")
  throw Unknown(job: "")
}
print(try touch(arguments[1], arguments[2], arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1))
