import Foundation
import SwiftyJSON

// literal: fails if a `nil` literal beside a JSON does not mean what the trait selects. Without the trait, as in SwiftyJSON
// 5, it means no value.

func found(in items: [Int], _ json: JSON) -> JSON? { items.isEmpty ? nil : json }

let people = JSON([["id": 1], ["name": "Ada"]])
let known = people.arrayValue.compactMap { $0["id"].exists() ? $0 : nil }
let chosen: JSON? = people.isEmpty ? people : nil

#if SwiftyJSON4
  let isNull = true
  let json: JSON = nil
  guard json.type == .null, JSON(["a": 1])["b"] == nil else { exit(1) }
#else
  let isNull = false
#endif

let answers = [found(in: [], people) != nil, known.count == 2, chosen != nil]
print("nil beside a JSON is \(isNull ? "JSON.null" : "no value"): \(answers)")
exit(answers.allSatisfy { $0 == isNull } && found(in: [1], people) != nil ? 0 : 1)
