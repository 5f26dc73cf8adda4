// SwiftyJSON's documented API on top of JSONSift. A source file needs only `import SwiftyJSON`.
//
// JSONSift declares `JSON` itself: values, subscripts, typed access, comparison, merging, Codable. This module adds the
// API that requires Foundation (`Data`, `NSNumber`, `URL`, `object`, `rawData`, `rawString`, `NSError`) and the
// top-level names that SwiftyJSON declares.
//
// Each name of JSONSift that SwiftyJSON documents is re-exported individually, and no other: a program may declare its
// own `JSONPath`. Members of these types are visible with them. Scripts/check consumers compiles such a program. The
// import of the whole module serves the typealiases below, and is not re-exported.
public import JSONSift

@_exported public import struct JSONSift.JSON
@_exported public import protocol JSONSift.JSONSubscriptType

/// The type of a value: `json.type == Type.number`.
public typealias Type = JSONType

/// A step of a path to a child: an index or a key.
public typealias JSONKey = JSON.Step

/// The reason why a value does not exist.
public typealias SwiftyJSONError = JSON.AccessError

/// A position in a `JSON` collection. `JSON.Index` is `Index<Any>`.
public typealias Index<T> = JSON.CollectionIndex<T>

/// The index of a `JSON` collection.
public typealias JSONRawIndex = JSON.CollectionIndex<Any>

/// The same index with another type parameter.
public typealias JSONIndex = JSON.CollectionIndex<JSON>
