import Bare
import Foundation
import Library
import Nameless
import SGYSwiftJSON

let check = Check()

// MARK: The walk-through

let person: Person = try read(
  """
  {"name": "Sean", "age": 41, "color": "Blue", "ranks": [1, 9, 5], "bestFriends": [{"name": "Ada"}, {"age": 7}],
   "byCity": {"Paris": {"name": "Marie"}}, "tags": ["a", "b", "a"], "number": 2.5, "anything": [1, null, {"k": true}],
   "deep": 3, "forced": 4, "born": 0, "unknown": {"x": [1, 2]}}
  """)
check.equal(person.name, "Sean")
check.equal(person.shownAge, 41)
check.equal(person.color, .blue)
check.equal(person.ranks, [.low, .high])
check.equal(person.bestFriends?.map { $0.shownAge }, [nil, 7])
check.equal(person.byCity["Paris"]?.name, "Marie")
check.equal(person.tags, ["a", "b"])
check.equal(person.number, 2.5)
check.equal((person.anything as? [Any])?.count, 3)
check.equal(person.deep, .some(.some(3)))
check.equal(person.forced, 4)
check.that(person.born == nil, "a date without a block")
check.equal(
  try written(try read(#"{"name":"A","age":1,"color":"Red"}"#) as Person),
  #"{"age":1,"byCity":{},"color":"Red","name":"A","ranks":[],"tags":[]}"#)

// MARK: A property that cannot be set is reported, and its neighbours stay intact

let warnings = Warnings()
let awkward: Awkward = try read(
  """
  {"before": 10, "parent": {"before": 1}, "b": 20, "owner": 1, "c": 30, "raw": 1, "d": 40, "action": 1, "run": 1,
   "tuple": [1, 2], "functions": [1], "payload": {"number": 1}, "point": {"x": 1}, "other": {"first": 9},
   "proto": "p", "equatable": 5, "metatype": "Int", "result": 1, "late": 12, "noncopyable": {"value": 4},
   "object": "o", "hashable": "h", "json": {"k": 1.50}, "after": "done", "secret": 99, "tail": "end", "fixed": 8,
   "title": "t", "span": {"first": 3}}
  """, warnings)
check.equal([awkward.before, Int(awkward.b), Int(awkward.c), Int(awkward.d)], [10, 20, 30, 40])
check.equal(awkward.after, "done")
check.equal(awkward.hidden, "99 end")
check.equal(awkward.title, "t")
check.equal(awkward.fixed, 7)
check.equal(awkward.late, 12)
check.equal(awkward.action?(), 5)
check.equal(awkward.run(8), 8)
check.equal(awkward.tuple.1, "two")
check.equal(awkward.functions.count, 0)
check.equal(awkward.noncopyable.value, 3)
check.equal(awkward.point, Point())
check.equal(awkward.other, Span())
check.equal(awkward.span, Span())
check.that(awkward.parent == nil, "a weak reference was set")
check.equal(awkward.equatable as? NSNumber, 5)
check.equal(awkward.hashable, AnyHashable("h"))
check.equal(awkward.json?["k"].numberText, "1.50")
check.equal((awkward.object as? NSString).map { String($0) }, "o")
check.that(warnings.paths.contains("fixed") && warnings.paths.contains("parent"), "warnings: \(warnings.paths)")
for (property, value) in [
  ("before", "x" as Any), ("action", { 1 } as () -> Int), ("run", { $0 } as (Int) -> Int), ("tuple", (1, "x")),
  ("parent", awkward), ("owner", NSNull()), ("raw", NSNull()), ("fixed", 1), ("nothing", 1), ("noncopyable", 1),
  ("", 1),
] {
  do {
    try awkward.setValue(value, property: property)
    check.that(false, "\(property) was set")
  } catch {
    check.that(error is JSONCreatableObject.KeyValueError, "\(error)")
  }
}
for (property, value) in [
  ("payload", Payload.text("y") as Any), ("point", Point(x: 9, y: 8)), ("other", Span()), ("metatype", String.self),
  ("functions", [{ 7 }] as [() -> Int]), ("result", Result<Int, any Error>.success(3)),
  ("after", Optional("again") as Any),
] {
  do { try awkward.setValue(value, property: property) } catch { check.that(false, "\(property): \(error)") }
}
check.that((try? awkward.setValue(Int.self, property: "thin")) == nil && awkward.thin == nil, "a metatype was set")
check.equal([awkward.e, awkward.f], [5, 6])
check.equal(awkward.point, Point(x: 9, y: 8))
check.equal(awkward.functions.first?(), 7)
check.that(awkward.metatype == String.self, "the metatype")
check.equal(awkward.after, "again")
check.equal(try awkward.result?.get(), 3)

// MARK: Inheritance and generics

let deep: Level5 = try read(
  #"{"v0": 1, "v1": 2, "v2": "c", "v3": true, "v4": "Red", "list": ["Blue", "Red"], "v5": [[1], [], [2, 3]]}"#)
check.equal(deep.v0, 1)
check.equal(deep.v1, 2)
check.equal(deep.v2, "c")
check.equal(deep.shown, true)
check.equal(deep.v4, .red)
check.equal(deep.list, [.blue, .red])
check.equal(deep.v5, [[1], [], [2, 3]])
let box: LibraryBox<[Person]> = try read(#"{"content": [{"name": "x"}], "title": "t", "secret": 5}"#)
check.equal(box.content?.first?.name, "x")
check.equal(box.hidden, "5 tail")
let _: Empty = try read(#"{"own": 1}"#)
check.equal((try read(#"{"own": 5}"#) as Deep1).own, 5)
check.equal(try written(Empty()), "{}")

let wrapped: Wrapped = try read(#"{"value": 8, "watched": 3, "constant": 4}"#)
check.equal(wrapped.value, 8)
check.equal(wrapped.seen, [3])
check.equal(wrapped.constant, 1)

// MARK: Without reflection metadata

for text in ["{}", #"{"name": "x", "count": 1}"#] {
  do {
    let _: BareModel = try read(text)
    check.that(false, "a class without metadata was read")
  } catch let error as NSError {
    check.that(error.localizedDescription.contains("reflection metadata"), error.localizedDescription)
  }
  do {
    let _: NamelessModel = try read(text)
    check.that(false, "a class without names was read")
  } catch let error as NSError {
    check.that(error.localizedDescription.contains("reflection metadata"), error.localizedDescription)
  }
}
for value in [
  BareModel(), NamelessModel(), BareValue(), NamelessValue(), BareTable(), NamelessTable(), BareList(), NamelessList(),
] as [Any] {
  check.that((try? written(value)) == nil, "\(type(of: value)) was written")
  check.that((try? written(Underscored(_content: value))) == nil, "\(type(of: value)) was written in another")
}
for value in [BareProxy(), NamelessProxy()] as [Any] {
  check.equal(try written(Underscored(_content: value)), #"{"_content":{"number":1},"after":1}"#)
}
check.equal(try written([BareSequence() as Any, NamelessSequence()]), "[[1,2],[1,2]]")
check.equal((try read(#"{"name": "x", "count": 2}"#) as BarePaths).count, 2)
check.equal((try read(#"{"name": "x", "count": 3}"#) as NamelessPaths).name, "x")

// MARK: Each value has one owner

@MainActor func chain(_ length: Int) throws {
  var text = ""
  for index in 0..<length { text += #"{"text": "a string that is long enough for the heap \#(index)", "next": "# }
  text += "null" + String(repeating: "}", count: length)
  let first: Counted = try read(text)
  check.that(first.next != nil && Counted.alive == length, "\(Counted.alive) objects for \(length)")
  for index in 0..<100 { try first.setValue("text number \(index) that is long enough for the heap", property: "text") }
}
try chain(512)
check.equal(Counted.alive, 0)
do {
  try chain(513)
  check.that(false, "513 objects inside one another")
} catch {
  check.equal(Counted.alive, 0)
}

// MARK: Many threads request the same class first

let records =
  "["
  + (0..<500).map {
    #"{"id":\#($0),"name":"n\#($0)","email":null,"active":true,"score":0.5,"level":7,"city":"x","tags":["a"]}"#
  }
  .joined(separator: ",") + "]"
let results = Results()
DispatchQueue.concurrentPerform(iterations: 8) { _ in
  let list: [Record]? = try? SGYJSONDeserializer().deserialize(Data(records.utf8))
  results.add(list?.reduce(0) { $0 + $1.id + Int($1.level) + $1.tags.count } ?? 0)
}
check.equal(results.sums, Array(repeating: 124_750 + 8 * 500, count: 8))

print("\(check.count) checks, \(check.failures) failures")
exit(check.failures == 0 ? 0 : 1)

/// Collects the results of threads.
final class Results: @unchecked Sendable {
  private let lock = NSLock()
  private(set) var sums: [Int] = []
  func add(_ sum: Int) { lock.withLock { sums.append(sum) } }
}
