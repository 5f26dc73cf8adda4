import BenchRecords
import Foundation

extension Walk {
  /// Every value of what `JSONSerialization` made.
  package mutating func add(_ object: Any) {
    values += 1
    switch object {
    case let members as [String: Any]:
      for (key, value) in members {
        characters += key.utf8.count
        add(value)
      }
    case let elements as [Any]: for value in elements { add(value) }
    case let text as String: characters += text.utf8.count
    // A Bool is a number to Foundation. Only its C type tells: `c`, char.
    case let number as NSNumber:
      if number.objCType.pointee == 0x63 {
        trues += number.boolValue ? 1 : 0
      } else {
        numbers &+= number.doubleValue.bitPattern
      }
    default: break
    }
  }
}
