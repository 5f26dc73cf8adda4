import Foundation

/// Makes models of JSON values, with a stack of its own: how deep a text is does not matter to the thread's.
struct ModelReader {
  /// What became of a value.
  private enum Outcome {
    case value(Any)
    /// It cannot be converted, or is null.
    case nothing
    /// It is a container: its frame is on the stack now.
    case opened
  }

  private let date: SGYJSONDateConversionBlock?
  private let observer: (any JSONWarningObserver)?
  private var open: [ReadFrame] = []

  init(date: SGYJSONDateConversionBlock?, observer: (any JSONWarningObserver)?) {
    self.date = date
    self.observer = observer
  }

  /// The value as a declared type, or `nil` if it cannot be converted.
  ///
  /// - Throws: ``JSONModelError``.
  mutating func read(_ json: JSON, as conversion: Conversion) throws(JSONModelError) -> Any? {
    switch try begin(json, conversion) {
    case .value(let value): return value
    case .nothing: return nil
    case .opened: return try finish()
    }
  }

  /// Sets the properties of an object.
  ///
  /// - Throws: ``JSONModelError``.
  mutating func read(_ json: JSON, into object: any JSONKeyValueCreatable) throws(JSONModelError) {
    try push(try frame(json, object))
    _ = try finish()
  }

  // MARK: The stack

  /// Reads until the outermost container is complete.
  private mutating func finish() throws(JSONModelError) -> Any {
    while true {
      let frame = open[open.count - 1]
      var isOpened = false
      while !isOpened, let (json, conversion) = frame.next() {
        switch try begin(json, conversion) {
        case .value(let value): take(value, frame, json)
        case .nothing: break
        case .opened: isOpened = true
        }
      }
      if isOpened { continue }
      let value = frame.finish()
      open.removeLast()
      guard let outer = open.last else { return value }
      take(value, outer, frame.json)
    }
  }

  private mutating func push(_ frame: ReadFrame) throws(JSONModelError) {
    guard open.count < JSONModelError.depth else {
      throw JSONModelError(code: .tooDeep, keyPath: keyPath, typeName: "\(frame.json.foundationType)")
    }
    open.append(frame)
  }

  private func take(_ value: Any, _ frame: ReadFrame, _ json: JSON) {
    do {
      try frame.take(value)
    } catch {
      guard observer != nil else { return }
      warn(.keyValueError(keyPath, FoundationReader.shown(json), NSError.holding(error)))
    }
  }

  // MARK: The rules

  private mutating func begin(_ json: JSON, _ conversion: Conversion) throws(JSONModelError) -> Outcome {
    let type = json.type
    if type == .null { return null(conversion) }
    switch conversion.first {
    case .any, .anyObject:
      guard let value = try foundation(json) else { return refuse(json, conversion) }
      return .value(conversion.first == .any ? value : FoundationReader.object(value))
    case .json: return .value(json.detached())
    case .date:
      // A block that is missing, or knows no date for the value, leaves the property alone: documented, no warning.
      guard let date else { return .nothing }
      let value = try foundation(json).flatMap { date($0) }
      return value.map { .value($0) } ?? .nothing
    case .other: break
    }
    switch type {
    case .string, .number, .bool:
      if let value = conversion.ofLeaf?(json) { return .value(value) }
      if conversion.ofLeaf == nil, let value = json.foundationLeaf.flatMap({ conversion.cast($0) }) {
        return .value(value)
      }
      return refuse(json, conversion)
    case .array:
      switch conversion.ofArray {
      case .collection(let collection, let element):
        try push(ArrayFrame(json, collection, Conversion.of(element)))
        return .opened
      case .array(let isMutable):
        guard let list = try foundation(json) as? [Any] else { return .nothing }
        return .value(isMutable ? NSMutableArray(array: list) : NSArray(array: list))
      case nil: return refuse(json, conversion)
      }
    case .dictionary:
      switch conversion.ofObject {
      case .model(let model):
        try push(try frame(json, model.init()))
        return .opened
      case .dictionary(let dictionary, let value):
        try push(DictionaryFrame(json, dictionary, Conversion.of(value)))
        return .opened
      case .nsDictionary(let isMutable):
        guard let table = try foundation(json) as? [String: Any] else { return .nothing }
        return .value(isMutable ? NSMutableDictionary(dictionary: table) : NSDictionary(dictionary: table))
      case .unsupportedKeys(let key):
        warn(.unsupportedDictionaryKeyType(key))
        return .nothing
      case nil: return refuse(json, conversion)
      }
    case .null, .unknown: return .nothing
    }
  }

  /// The value as JSONSerialization has it; `nil` for a number larger than any Double.
  private func foundation(_ json: JSON) throws(JSONModelError) -> Any? {
    do throws(FoundationReader.TooDeep) {
      return try FoundationReader.value(json, room: JSONModelError.depth - open.count)
    } catch {
      throw JSONModelError(code: .tooDeep, keyPath: keyPath, typeName: "\(json.foundationType)")
    }
  }

  private func frame(
    _ json: JSON, _ object: any JSONKeyValueCreatable
  ) throws(JSONModelError) -> ReadFrame {
    let plan = ModelPlan.of(object)
    guard plan.failure == nil else {
      throw JSONModelError(code: .reflectionUnavailable, keyPath: keyPath, typeName: "\(type(of: object))")
    }
    return ObjectFrame(json, object, plan)
  }

  /// Null leaves a property alone. In a container it counts as an element, where there is a value for it.
  private func null(_ conversion: Conversion) -> Outcome {
    guard let frame = open.last, !(frame is ObjectFrame) else { return .nothing }
    if let value = conversion.nilValue { return .value(value) }
    switch conversion.first {
    case .any, .anyObject: return .value(NSNull())
    case .json: return .value(JSON.null)
    case .date, .other: return refuse(.null, conversion)
    }
  }

  // MARK: Warnings

  private func refuse(_ json: JSON, _ conversion: Conversion) -> Outcome {
    warn(.unsupportedConversion(json.foundationType, conversion.declared))
    return .nothing
  }

  private func warn(_ warning: JSONWarning) {
    guard let observer else { return }
    observer.observe(warning: warning, keyPath: keyPath)
  }

  /// Where the reader is.
  private var keyPath: String { open.compactMap { $0.step }.text }
}
