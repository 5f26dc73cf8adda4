// SwiftyJSON's documented API, on JSONSift: `import SwiftyJSON` is all that a source file needs.
//
// JSONSift declares `JSON` itself: values, subscripts, typed access, comparison, merging, Codable. This module adds what
// needs Foundation (`Data`, `NSNumber`, `URL`, `object`, `rawData`, `rawString`, `NSError`) and the names that
// SwiftyJSON declares at the top of its module.
//
// Each name of JSONSift that SwiftyJSON documents is re-exported by itself, and no other: a program may have a
// `JSONPath` of its own. The members of these types are visible with them. Scripts/check-dropin compiles such a program.
// The import of the whole module is for the two names below, and not re-exported.
public import JSONSift

@_exported public import struct JSONSift.JSON
@_exported public import typealias JSONSift.JSONIndex
@_exported public import enum JSONSift.JSONKey
@_exported public import typealias JSONSift.JSONRawIndex
@_exported public import protocol JSONSift.JSONSubscriptType
@_exported public import enum JSONSift.SwiftyJSONError

/// What a value is: `json.type == Type.number`.
public typealias Type = JSONType

/// A position in a `JSON` collection. `JSON.Index` is `Index<Any>`.
public typealias Index<T> = JSONCollectionIndex<T>
