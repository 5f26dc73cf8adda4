/// SwiftyJSON's documented API, on JSONSift: `import SwiftyJSON` is all that a source file needs.
///
/// JSONSift has `JSON` itself: values, subscripts, typed access, comparison, merging, Codable. This module adds what
/// needs Foundation (`Data`, `NSNumber`, `URL`, `object`, `rawData`, `rawString`, `NSError`) and the names that
/// SwiftyJSON puts at the top of its module.
@_exported public import JSONSift

/// What a value is: `json.type == Type.number`.
public typealias Type = JSONType

/// A position in a `JSON` collection. `JSON.Index` is `Index<Any>`.
public typealias Index<T> = JSONCollectionIndex<T>
