// The documented API of SGYSwiftJSON, on JSONSift: plain Swift models to JSON and back, by protocols and reflection.
//
// ```swift
// import SGYSwiftJSON
//
// class Person: JSONCreatableObject {
//   var name: String?
//   var followersCount: Int?
//   var bestFriends: [Person]?
// }
//
// let person: Person = try SGYJSONDeserializer().deserialize(data)
// let text = try SGYJSONSerializer().serialize(person)
// ```
//
// The names of JSONSift, whose values, paths and streams models can come from, need `import JSONSift`.
