import BenchRecords
import JSONSift

extension Walk {
  /// Every value below, as SwiftyJSON's users write it.
  package mutating func add(_ json: JSON) {
    values += 1
    switch json.type {
    case .dictionary:
      for (key, value) in json {
        characters += key.utf8.count
        add(value)
      }
    case .array: for (_, value) in json { add(value) }
    case .string: characters += json.stringValue.utf8.count
    case .number: numbers &+= json.doubleValue.bitPattern
    case .bool: trues += json.boolValue ? 1 : 0
    case .null, .unknown: break
    }
  }
}
