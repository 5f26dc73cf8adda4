import Foundation
import JSONSift
import Library
import SGYSwiftJSON

enum Color: String, JSONLeafEnum { case red = "Red", blue = "Blue" }
enum Rank: Int8, JSONLeafEnum { case low = 1, high = 9 }
enum Payload { case number(Int), text(String), pair(Int, String), none }
struct Point: Equatable { var x = 1.5, y: Float = 2 }

nonisolated(unsafe) let everlasting = NSObject()

/// The model of the guide's walk-through, with every type that an optional can wrap.
class Person: JSONCreatableObject {
  var name: String?
  private var age: Int?
  var color: Color?
  var ranks: [Rank] = []
  var bestFriends: [Person]?
  var byCity: [String: Person] = [:]
  var tags: Set<String> = []
  var number: NSNumber?
  var anything: Any?
  var deep: Int??
  var forced: Int!
  var born: Date?
  var shownAge: Int? { age }
}

/// Properties that JSON cannot set, each between two that it can set.
class Awkward: LibraryModel {
  var before = 1
  weak var parent: Awkward?
  var b: UInt8 = 2
  unowned var owner: NSObject = everlasting
  var c: UInt16 = 3
  unowned(unsafe) var raw: NSObject = everlasting
  var d: UInt32 = 4
  var action: (() -> Int)? = { 5 }
  var run: (Int) -> Int = { $0 }
  var tuple = (1, "two")
  var functions: [() -> Int] = [{ 6 }]
  var payload = Payload.pair(1, "x")
  var point = Point()
  var other = Span()
  var proto: (any Sendable)?
  var equatable: (any Equatable)?
  var metatype: Any.Type = Int.self
  var e: UInt8 = 5
  var thin: Int.Type?
  var f: UInt8 = 6
  var result: Result<Int, any Error>?
  lazy var late: Int = 11
  var noncopyable = Unique()
  var object: AnyObject?
  var hashable: AnyHashable?
  var json: JSON?
  var after = "after"
}

struct Unique: ~Copyable {
  var value = 3
  deinit {}
}

class Empty: JSONCreatableObject {}
final class Deep1: Empty { var own = 0 }

class Level0: JSONCreatableObject { var v0 = 0 }
class Level1: Level0 { var v1: UInt8 = 0 }
class Level2: Level1 { var v2 = "" }
class Level3: Level2 { private var v3: Bool?; var shown: Bool? { v3 } }
class Level4<T>: Level3 { var v4: T?; var list: [T] = [] }
final class Level5: Level4<Color> { var v5: [[Int]] = [] }

@propertyWrapper struct Doubled {
  private var half = 0
  var wrappedValue: Int {
    get { half * 2 }
    set { half = newValue / 2 }
  }
}

final class Wrapped: JSONCreatableObject, JSONKeyPathProvider {
  @Doubled var value: Int
  private(set) var seen: [Int] = []
  var watched = 0 { didSet { seen.append(watched) } }
  let constant = 1
  static var jsonKeyPaths: [String: AnyKeyPath] {
    ["value": \Wrapped.value, "watched": \Wrapped.watched, "constant": \Wrapped.constant]
  }
}

/// Named as the compiler names the stored property behind a property wrapper.
struct Underscored<Content> {
  var _content: Content
  var after = 1
}

/// Eight properties, for repeated reads.
final class Record: JSONCreatableObject {
  var id = 0
  var name = ""
  var email: String?
  var active = false
  var score = 0.0
  var level: Int32 = 0
  var city: String?
  var tags: [String] = []
}

/// Reports its deinitialization.
final class Counted: JSONCreatableObject {
  nonisolated(unsafe) static var alive = 0
  var text: String?
  var next: Counted?
  required init() {
    super.init()
    Self.alive += 1
  }
  deinit { Self.alive -= 1 }
}
