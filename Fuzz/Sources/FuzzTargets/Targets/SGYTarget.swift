import Foundation
import JSONSift
import SGYSwiftJSON

extension FuzzTarget {
  /// Reads a text as models by reflection, writes them, and reads that again: the second text must equal the first one.
  static let sgy = FuzzTarget(name: "sgy") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    let choice = input.choice()
    let text = input.text
    let read = readModel(Data(text))
    let isObject = (try? JSON(parsing: text))?.type == .dictionary
    if choice & 1 == 0, isObject, case .failure(let error) = read,
      (try? JSON(parsing: text, options: .strictest)) != nil
    {
      throw Difference("an object is read", words(text), error)
    }
    _ = try? SGYJSONDeserializer().deserialize(Data(text), observer: Warnings()) as [Int?]
    _ = try? SGYJSONDeserializer().deserialize(Data(text), observer: Warnings()) as [String: [Model]]
    guard case .success(let (model, warnings)) = read else { return }
    // The same warnings and values once more, and into an instance.
    let again = readModel(Data(text))
    guard case .success(let (second, secondWarnings)) = again else {
      throw Difference("read again", words(text), again)
    }
    try expectEqual("the warnings", secondWarnings, warnings)
    let written = writeModel(model)
    try expectEqual("the same model, read again", writeModel(second), written)
    let into = Model()
    try? SGYJSONDeserializer().deserialize(Data(text), intoInstance: into)
    try expectEqual("the model read into an instance", writeModel(into), written)
    guard case .success(let output) = written else { return }
    let third = readModel(output)
    guard case .success(let (model, _)) = third else { throw Difference("the written text is read", output, third) }
    // -0.0 is written as -0, as Foundation does, and that is the integer 0 when it is read.
    try expectEqual("the model of the written text", writeModel(model).map(plainZeros), .success(plainZeros(output)))
  }
}

extension JSONOptions {
  /// Far below every limit of the models.
  fileprivate static var strictest: JSONOptions {
    var options = JSONOptions()
    options.limits.depth = 100
    return options
  }
}

private final class Warnings: JSONWarningObserver {
  private(set) var lines: [String] = []
  func observe(warning: JSONWarning) {}
  func observe(warning: JSONWarning, keyPath: String) {
    switch warning {
    case .unsupportedConversion(let from, let to): lines.append("\(keyPath): \(from) to \(to)")
    case .unsupportedDictionaryKeyType(let type): lines.append("\(keyPath): keys \(type)")
    case .keyValueError(let path, _, let error): lines.append("\(keyPath) \(path): error \(error.code)")
    }
  }
}

private func readModel(_ data: Data) -> Result<(Model, [String]), NSError> {
  let warnings = Warnings()
  do {
    let model: Model = try SGYJSONDeserializer().deserialize(data, observer: warnings)
    return .success((model, warnings.lines.sorted()))
  } catch {
    return .failure(error as NSError)
  }
}

private func writeModel(_ model: Model) -> Result<Data, NSError> {
  let serializer = SGYJSONSerializer()
  serializer.writingOptions = .sortedKeys
  do {
    return .success(try serializer.serialize(model))
  } catch {
    return .failure(error as NSError)
  }
}

/// Returns the text with 0 for each number -0.
private func plainZeros(_ text: Data) -> Data {
  var result = Data()
  var isInString = false
  var isEscaped = false
  for byte in text {
    if isInString {
      isInString = isEscaped || byte != UInt8(ascii: "\"")
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    } else {
      if byte == UInt8(ascii: "\"") { isInString = true }
      let endsNumber = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte)
      if endsNumber, result.suffix(2).elementsEqual("-0".utf8) { result.remove(at: result.count - 2) }
    }
    result.append(byte)
  }
  return result
}

private enum Colour: String, JSONLeafEnum { case red, green }

private class Base: JSONCreatableObject {
  var a: Int?
  var b: String?
}

private final class Model: Base {
  var double: Double?
  var float: Float = 1.5
  var bool: Bool?
  var small: Int8 = 3
  var large: UInt64?
  var list: [Int]?
  var optionals: [String?]?
  var map: [String: Double]?
  var models: [Model]?
  var byName: [String: Model]?
  var colour: Colour?
  var any: Any?
  var anyList: [Any]?
  var number: NSNumber?
  var array: NSArray?
  var dictionary: NSDictionary?
  var date: Date?
  var url: URL?
  let constant = 1
}
