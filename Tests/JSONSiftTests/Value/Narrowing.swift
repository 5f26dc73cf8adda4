import JSONSift

/// Returns the result of every integer accessor of a value, by name, as text.
func integers(of json: JSON) -> [String: String] {
  func text<Integer: FixedWidthInteger>(_ value: Integer?) -> String { value.map { String($0) } ?? "nil" }
  return [
    "int": text(json.int), "uInt": text(json.uInt), "int8": text(json.int8), "uInt8": text(json.uInt8),
    "int16": text(json.int16), "uInt16": text(json.uInt16), "int32": text(json.int32), "uInt32": text(json.uInt32),
    "int64": text(json.int64), "uInt64": text(json.uInt64), "intValue": text(json.intValue),
    "uIntValue": text(json.uIntValue), "int8Value": text(json.int8Value), "uInt8Value": text(json.uInt8Value),
    "int16Value": text(json.int16Value), "uInt16Value": text(json.uInt16Value), "int32Value": text(json.int32Value),
    "uInt32Value": text(json.uInt32Value), "int64Value": text(json.int64Value), "uInt64Value": text(json.uInt64Value),
  ]
}

extension [String: String] {
  var optionals: [String: String] { filter { !$0.key.hasSuffix("Value") } }
  var coerced: [String: String] { filter { $0.key.hasSuffix("Value") } }
}
