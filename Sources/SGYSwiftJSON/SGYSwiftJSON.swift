/// The documented API of SGYSwiftJSON, on JSONSift: plain Swift models to JSON and back, by protocols and reflection.
///
/// ```swift
/// import SGYSwiftJSON
///
/// class Person: JSONCreatableObject {
///   var name: String?
///   var followersCount: Int?
///   var bestFriends: [Person]?
/// }
///
/// let person: Person = try SGYJSONDeserializer().deserialize(data)
/// let text = try SGYJSONSerializer().serialize(person)
/// ```
///
/// The module re-exports JSONSift: its values, paths and streams are where models can come from.
@_exported public import JSONSift
