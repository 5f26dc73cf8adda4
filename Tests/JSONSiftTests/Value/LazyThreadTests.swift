import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Values that are parsed on access, accessed by several threads.
@Suite struct LazyThreadTests {
  private static let items = 150

  private static let text: [UInt8] = {
    let list = (0..<items).map { number in
      let numbers = (0..<(number % 40 * 30)).map(String.init).joined(separator: ",")
      return "{\"id\":\(number),\"tags\":[\"a\",\"b\\u00e9\"],\"long\":[\(numbers)]}"
    }
    return Array("{\"list\":[\(list.joined(separator: ",\n"))],\"dup\":1,\"dup\":{\"a\":[true]},\"n\":-1.5e3}".utf8)
  }()

  private static func faults(reading json: JSON, _ whole: JSON, thread: Int) -> [String] {
    var faults: [String] = []
    for step in 0..<items {
      let index = (thread * 37 + step) % items
      let item = json["list"][index]
      if item["id"].int != index { faults.append("id \(index)") }
      if item["tags"][1].string != "bé" || item["tags"].count != 2 { faults.append("tags \(index)") }
      if step % 10 == thread, item["long"] != whole["list"][index]["long"] { faults.append("long \(index)") }
      if step % 50 == thread, item.byteRange != whole["list"][index].byteRange { faults.append("place \(index)") }
    }
    if json["dup"]["a"][0].bool != true || json["n"].double != -1500 { faults.append("members") }
    if thread % 3 == 0, json != whole || json.hashValue != whole.hashValue { faults.append("all") }
    var copy = json
    copy["list"][thread]["id"].int = -1
    if copy["list"][thread]["id"].int != -1 || json["list"][thread]["id"].int != thread { faults.append("copy") }
    return faults
  }

  @Test func `eight threads that access one value get the same`() async throws {
    let whole = try JSON(parsingWhole: Self.text, options: JSONOptions())
    for _ in 0..<(isDebug ? 3 : 20) {
      let json = try JSON(parsing: Self.text)
      let faults = await withTaskGroup(of: [String].self) { group in
        for thread in 0..<8 { group.addTask { Self.faults(reading: json, whole, thread: thread) } }
        return await group.reduce(into: []) { $0 += $1 }
      }
      #expect(faults.isEmpty, "\(faults.prefix(5))")
    }
  }

  @Test func `a part outlives the value it was taken from`() throws {
    let parts = try { () throws(JSONError) -> [JSON] in
      let json = try JSON(parsing: Self.text)
      return [json["list"], json["list"][7], json["list"][8]["tags"], json["dup"], json["n"]]
    }()
    #expect(parts[0][3]["id"].int == 3 && parts[1]["id"].int == 7 && parts[2][0].string == "a")
    #expect(parts[3]["a"][0].bool == true && parts[4].double == -1500)
  }

  @Test func `a modified mapped file gives values in bounds or an error on access`() throws {
    var random = SeededGenerator.announced()
    for round in 0..<(isDebug ? 30 : 200) {
      try withFile(Self.text) { path in
        let json = try JSON(contentsOf: path, loading: .mapped)
        if round % 2 == 0 { _ = json["list"][3] }
        // In place: the mapped file keeps its pages.
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        for _ in 0..<40 {
          try file.seek(toOffset: UInt64(random.below(Self.text.count)))
          try file.write(contentsOf: Data([random.pick(Array("{}[]\",:\\0x \u{1}".utf8))]))
        }
        try file.close()
        var faults = 0
        for index in 0..<Self.items {
          let item = json["list"][index]
          for value in [item, item["id"], item["tags"], item["tags"][1], item["long"][random.below(40)]] {
            _ = (value.string, value.double, value.rawBytes, value.byteRange, value.count, value.detached())
            #expect((value.error == .invalidJSON) == (value.jsonError != nil) || value.error == .invalidJSON)
            faults += value.error == .invalidJSON ? 1 : 0
          }
        }
        _ = (try? json.bytes(.pretty), json.count, json == json["list"], faults)
      }
    }
  }
}
