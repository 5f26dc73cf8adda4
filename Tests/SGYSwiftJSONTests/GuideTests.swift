import Foundation
import JSONSift
import SGYSwiftJSON
import TestSupport
import Testing

private final class Account: JSONKeyValueCreatable, JSONKeyPathProvider {
  var name = ""
  var balance = 0 { didSet { changes += 1 } }
  private(set) var changes = 0

  static var jsonKeyPaths: [String: AnyKeyPath] { ["account_name": \Account.name, "balance": \Account.balance] }
}

extension Account: JSONProxyProvider {
  var jsonProxy: Any { ["account_name": name, "balance": balance] as [String: Any] }
}

/// The promises of `Documentation/Models.md`, in addition to ``PersonTests``.
@Suite struct GuideTests {
  private final class Printer: JSONWarningObserver {
    var lines: [String] = []
    func observe(warning: JSONWarning) {}
    func observe(warning: JSONWarning, keyPath: String) { lines.append("\(keyPath): \(warning)") }
  }

  private final class Counter: JSONWarningObserver {
    var count = 0
    func observe(warning: JSONWarning) { count += 1 }
  }

  final class Friend: JSONCreatableObject {
    var name: String?
    var followersCount: Int?
    var bestFriends: [Friend]?
  }

  @Test func `a warning has its key path`() throws {
    let data = Data(#"{"bestFriends": [{}, {"followersCount": "many"}]}"#.utf8)
    let printer = Printer()
    let _: Friend = try SGYJSONDeserializer().deserialize(data, observer: printer)
    #expect(printer.lines == ["bestFriends[1].followersCount: unsupportedConversion(Swift.String, Swift.Int)"])
    let counter = Counter()
    let _: Friend = try SGYJSONDeserializer().deserialize(data, observer: counter)
    #expect(counter.count == 1, "the documented requirement alone is enough")
  }

  @Test func `key paths and a proxy are used`() throws {
    let text = Data(#"{"account_name":"savings","balance":7}"#.utf8)
    let account: Account = try SGYJSONDeserializer().deserialize(text)
    #expect(account.name == "savings" && account.balance == 7 && account.changes == 1)
    let serializer = SGYJSONSerializer()
    serializer.writingOptions = .sortedKeys
    #expect(try serializer.serialize(account) == text)
  }

  @Test func `streams`() throws {
    let deserializer = SGYJSONDeserializer()
    let huge = try TemporaryFile(Array(#"{"people":[{"name":"a"},{"name":"b"}]}"#.utf8))
    let log = try TemporaryFile(Array("{\"name\":\"c\"}\n{\"name\":\"d\"}\n".utf8), ending: ".ndjson")
    var names: [String] = []
    var people = try deserializer.models(of: Friend.self, at: "$.people[*]", in: .path(huge.path))
    while let person = try people.next() { names.append(person.name ?? "") }
    var lines = try deserializer.models(of: Friend.self, in: .path(log.path))
    while let person = try lines.next() { names.append(person.name ?? "") }
    #expect(names == ["a", "b", "c", "d"])
  }

  @Test func `a value is written chunk by chunk`() throws {
    let friend = Friend()
    friend.bestFriends = (0..<5000).map { index in
      let friend = Friend()
      friend.name = "friend number \(index)"
      return friend
    }
    let json = try SGYJSONSerializer().json(of: friend)
    var chunks = 0
    var bytes = 0
    try json.write { chunk throws(JSONError) in
      chunks += 1
      bytes += chunk.byteCount
    }
    #expect(chunks > 1)
    #expect(try SGYJSONSerializer().serialize(friend).count == bytes)
  }
}
