import Testing

@testable import JSONSift

@Suite struct DistinctMemberTests {
  private func document(_ text: String) throws -> Document {
    let json = try JSON(parsing: text, options: JSONOptions(limits: .unlimited))
    guard case .node(let document, _) = json.storage else { throw JSONError(.unexpectedEnd, at: 0) }
    return document
  }

  static let objects: [([String], Int)] = [
    ([], 0), ([#""a":1"#], 1), ([#""a":1"#, #""a":2"#], 1), ([#""a":1"#, #""b":2"#, #""a":{"a":1}"#], 2),
    ([#""a":1"#, #""\u0061":2"#], 1), ([#""\u0061":1"#, #""a":2"#, #""\u0061":[]"#], 1),
    ([#""":1"#, #""\u0000":2"#, #""":3"#], 2), ([#""ab":[1,2]"#, #""ba":{}"#, #""ab":"ab""#, #""abc":0"#], 3),
    (["\"\u{E9}\":1", "\"e\u{301}\":2", #""\u00e9":3"#], 2),
  ]

  @Test(arguments: objects)
  func `different keys are counted by their characters`(members: [String], distinct: Int) throws {
    let object = try document("{\(members.joined(separator: ","))}")
    #expect(object.distinctMemberCount(of: Document.root) == distinct)
    let filling = (0..<100).map { "\"filling\($0)\":[\($0)]" }
    let large = try document("{\((filling + members).joined(separator: ","))}")
    #expect(large.distinctMemberCount(of: Document.root) == distinct + 100)
  }

  @Test func `an array or scalar has no members`() throws {
    for text in ["[]", "[1,1]", "7", "\"a\"", "[" + Array(repeating: "0", count: 100).joined(separator: ",") + "]"] {
      #expect(try document(text).distinctMemberCount(of: Document.root) == 0)
    }
  }

  @Test(arguments: [1, 2, 5, 63, 64, 65, 66, 500])
  func `count and the last member of a name agree with a dictionary`(count: Int) throws {
    for names in [1, 3, count / 2 + 1, count * 2] {
      for escapes in [0, 1, 3] {
        let members = (0..<count).map { member in
          let name = "\(member &* 31 % names)"
          let isEscaped = escapes > 0 && member % escapes == 0
          let value = member % 4 == 0 ? "{\"0\":[0]}" : "\(member)"
          return (name, "\"\(isEscaped ? "\\u006b" : "k")\(name)\":\(value)")
        }
        let document = try document("{\(members.map(\.1).joined(separator: ","))}")
        let last = Dictionary(members.indices.map { (members[$0].0, $0) }, uniquingKeysWith: { max($0, $1) })
        #expect(document.distinctMemberCount(of: Document.root) == last.count)
        var children = Document.Children(of: Document.root, in: document)
        for member in members.indices {
          let key = try #require(children.next()?.key)
          let isLast = last[members[member].0] == member
          #expect(document.isLastWithItsKey(key, of: Document.root) == isLast)
        }
      }
    }
  }

  @Test func `long keys are counted`() throws {
    let long = String(repeating: "k", count: 1 << 20)
    let object = try document("{\"\(long)\":1,\"\(long)k\":2,\"\(long)\":3}")
    #expect(object.distinctMemberCount(of: Document.root) == 2)
    var children = Document.Children(of: Document.root, in: object)
    let keys = [children.next()?.key, children.next()?.key, children.next()?.key].compactMap(\.self)
    #expect(keys.map { object.isLastWithItsKey($0, of: Document.root) } == [false, true, true])
  }
}
