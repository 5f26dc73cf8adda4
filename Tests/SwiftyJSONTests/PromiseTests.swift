import Foundation
import SwiftyJSON
import Testing

/// Section 14 of the inventory: the promises of SwiftyJSON's README.
@Suite struct PromiseTests {
  @Test func `no subscript crashes whatever the value is`() {
    let steps: [JSONSubscriptType] = [0, -1, 999, Int.max, Int.min, "", "k", "\0", Step.first, Step.list]
    for type in allTypes {
      for first in steps {
        for second in steps {
          let json = specimen(of: type)
          let child = json[[first]][[second]]
          #expect(child.type == .null || child.exists())
          #expect(json[[first, second]].error == child.error)
          var changed = json
          changed[[first]] = 1
          changed[[first, second]] = 2
          changed[[first]][[second]] = 3
          #expect(changed.type == type)
        }
      }
    }
  }

  @Test func `the castNil example writes null for nil`() throws {
    let dict = ["1": 2, "2": "two", "3": nil] as [String: Any?]
    let representation = try #require(JSON(dict).rawString([.castNilToNSNull: true]))
    // The README's spelling, which the original does not implement.
    #expect(JSON(dict).rawString(options: [.castNilToNSNull: true])?.utf8.count == representation.utf8.count)
    let members = ["\"1\": 2", "\"2\": \"two\"", "\"3\": null"]
    #expect(members.allSatisfy(representation.contains))
    #expect(representation.utf8.count == members.map(\.utf8.count).reduce(0, +) + 4)
    let again = try JSONSerialization.jsonObject(with: Data(representation.utf8))
    #expect(difference(between: again, and: ["1": 2, "2": "two", "3": NSNull()] as [String: Any]) == nil)
  }
}
