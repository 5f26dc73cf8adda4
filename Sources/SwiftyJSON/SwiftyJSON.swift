// SwiftyJSON's documented API on top of JSONSift. A source file needs only `import SwiftyJSON`.
//
// JSONSift declares `JSON` itself: values, subscripts, typed access, comparison, merging, Codable. This module adds the
// API that requires Foundation (`Data`, `NSNumber`, `URL`, `object`, `rawData`, `rawString`, `NSError`) and the
// top-level names that SwiftyJSON declares.
//
// Each name of JSONSift that SwiftyJSON documents is re-exported individually, and no other: a program may declare its
// own `JSONPath`. Members of these types are visible with them. Scripts/consumers compiles such a program. The
// import of the whole module serves the two typealiases below, and is not re-exported.
public import JSONSift

@_exported public import struct JSONSift.JSON
@_exported public import typealias JSONSift.JSONIndex
@_exported public import enum JSONSift.JSONKey
@_exported public import typealias JSONSift.JSONRawIndex
@_exported public import protocol JSONSift.JSONSubscriptType
@_exported public import enum JSONSift.SwiftyJSONError

/// The type of a value: `json.type == Type.number`.
public typealias Type = JSONType

/// A position in a `JSON` collection. `JSON.Index` is `Index<Any>`.
public typealias Index<T> = JSONCollectionIndex<T>
