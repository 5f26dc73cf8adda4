import Foundation
import JSONSift
import JSONSiftFoundation

/// Creates models from JSON values. The stack is on the heap, so the nesting depth does not depend on the stack of the
/// thread.
struct ModelReader {
  /// The result of converting a value.
  private enum Outcome {
    case value(Any)
    /// The value cannot be converted, or is null.
    case nothing
    /// The value is a container, which must be read before its parent continues.
    case container(ReadFrame)
  }

  private let date: SGYJSONDateConversionBlock?
  private let observer: (any JSONWarningObserver)?
  /// The containers around the current container.
  private var outer: [ReadFrame] = []

  init(date: SGYJSONDateConversionBlock?, observer: (any JSONWarningObserver)?) {
    self.date = date
    self.observer = observer
  }

  /// Returns the array or object as a declared type, or `nil` if it cannot be converted.
  ///
  /// - Throws: ``JSONModelError``.
  mutating func read(_ json: JSON, as conversion: Conversion) throws(JSONModelError) -> Any? {
    // The value becomes the only element of an array, which has no step in a key path.
    let walk = ChildWalk(JSON(elements: [json]))
    guard walk.next() else { return nil }
    switch try convert(walk, conversion, in: nil) {
    case .value(let value): return value
    case .nothing: return nil
    case .container(let frame): return try finish(frame)
    }
  }

  /// Sets the properties of an object.
  ///
  /// - Throws: ``JSONModelError``.
  mutating func read(_ json: JSON, into object: any JSONKeyValueCreatable) throws(JSONModelError) {
    _ = try finish(ReadFrame(json, target(object, in: nil)))
  }

  // MARK: The stack

  /// Reads a container and all values inside it.
  private mutating func finish(_ root: ReadFrame) throws(JSONModelError) -> Any {
    var frame = root
    while true {
      let value: Any
      switch frame.target {
      case .object(let object, let plan):
        if let inner = try readProperties(frame, object, plan) {
          try enter(inner, in: frame)
          frame = inner
          continue
        }
        value = object
      case .collection(let builder, let conversion, let key):
        if let inner = try readValues(frame, builder, conversion, key) {
          try enter(inner, in: frame)
          frame = inner
          continue
        }
        value = builder.finish()
      }
      guard let next = outer.popLast() else { return value }
      frame = next
      take(value, in: frame)
    }
  }

  private mutating func enter(_ inner: ReadFrame, in frame: ReadFrame) throws(JSONModelError) {
    guard outer.count < JSONLimits.maxRecursion - 1 else {
      throw JSONModelError(code: .tooDeep, keyPath: keyPath(frame), typeName: "\(frame.walk.json.foundationType)")
    }
    outer.append(frame)
  }

  /// Reads properties up to the next container; returns its frame, or `nil` at the end.
  private func readProperties(
    _ frame: ReadFrame, _ object: any JSONKeyValueCreatable, _ plan: ModelPlan
  ) throws(JSONModelError) -> ReadFrame? {
    while let index = frame.walk.next(in: plan.names) {
      frame.propertyIndex = index
      let property = plan.properties[index]
      switch try convert(frame.walk, property.conversion, in: frame) {
      case .value(let value):
        do {
          try object.setValue(value, property: property.name)
        } catch {
          warn(error, frame)
        }
      case .nothing: break
      case .container(let inner): return inner
      }
    }
    return nil
  }

  private func readValues(
    _ frame: ReadFrame, _ builder: ValueBuilder, _ conversion: Conversion, _ key: Any.Type?
  ) throws(JSONModelError) -> ReadFrame? {
    while frame.walk.next() {
      if let key, !builder.begin(frame.walk.name ?? "") {
        warn(.unsupportedConversion(String.self, key), frame)
        continue
      }
      switch try convert(frame.walk, conversion, in: frame) {
      case .value(let value): builder.append(value)
      case .nothing: break
      case .container(let inner): return inner
      }
    }
    return nil
  }

  /// Adds a complete container to the container around it.
  private func take(_ value: Any, in frame: ReadFrame) {
    switch frame.target {
    case .object(let object, let plan):
      do {
        try object.setValue(value, property: plan.properties[frame.propertyIndex].name)
      } catch {
        warn(error, frame)
      }
    case .collection(let builder, _, _): builder.append(value)
    }
  }

  // MARK: Conversion rules

  /// Converts the current value of a walk. `frame` is the container around it.
  private func convert(
    _ walk: ChildWalk, _ conversion: Conversion, in frame: ReadFrame?
  ) throws(JSONModelError) -> Outcome {
    // The common case.
    if conversion.isPlainLeaf, let value = conversion.leafReader?.read(walk) { return .value(value) }
    return try convertAny(walk, conversion, in: frame)
  }

  @inline(never)
  private func convertAny(
    _ walk: ChildWalk, _ conversion: Conversion, in frame: ReadFrame?
  ) throws(JSONModelError) -> Outcome {
    let type = walk.type
    if type == .null { return null(walk, conversion, in: frame) }
    switch conversion.typeRule {
    case .any, .anyObject:
      guard let value = try foundation(walk, in: frame) else { return reject(walk, conversion, frame) }
      return .value(conversion.typeRule == .any ? value : FoundationReader.object(value))
    case .json: return .value(walk.json.detached())
    case .date:
      // Without a block, or if the block returns `nil`, the property is unchanged, without a warning, as documented.
      guard let date else { return .nothing }
      let value = try foundation(walk, in: frame).flatMap { date($0) }
      return value.map { .value($0) } ?? .nothing
    case .other: break
    }
    switch type {
    case .string, .number, .bool:
      if let value = conversion.leafReader?.read(walk) { return .value(value) }
      if conversion.leafReader == nil, let value = walk.json.foundationLeaf.flatMap({ conversion.cast($0) }) {
        return .value(value)
      }
      return reject(walk, conversion, frame)
    case .array: return try array(walk, conversion, in: frame)
    case .dictionary: return try object(walk, conversion, in: frame)
    case .null, .unknown: return .nothing
    }
  }

  private func array(
    _ walk: ChildWalk, _ conversion: Conversion, in frame: ReadFrame?
  ) throws(JSONModelError) -> Outcome {
    switch conversion.arrayRule {
    case .leaves(let read, let element):
      return .value(
        read.read(ChildWalk(walk.json)) { leaf in
          warn(
            .unsupportedConversion(leaf.json.foundationType, Conversion.of(element).declared), frame,
            last: [.index(leaf.count - 1)])
        })
    case .collection(let builder, let element):
      return .container(ReadFrame(walk.json, .collection(builder(walk.childCount), Conversion.of(element), key: nil)))
    case .array(let isMutable):
      guard let list = try foundation(walk, in: frame) as? [Any] else { return .nothing }
      return .value(isMutable ? NSMutableArray(array: list) : NSArray(array: list))
    case .cast: return try castContainer(walk, conversion, in: frame)
    case nil: return reject(walk, conversion, frame)
    }
  }

  private func object(
    _ walk: ChildWalk, _ conversion: Conversion, in frame: ReadFrame?
  ) throws(JSONModelError) -> Outcome {
    switch conversion.objectRule {
    case .model(let model): return .container(ReadFrame(walk.json, try target(model.init(), in: frame)))
    case .dictionary(let builder, let key, let value):
      return .container(ReadFrame(walk.json, .collection(builder(walk.childCount), Conversion.of(value), key: key)))
    case .nsDictionary(let isMutable):
      guard let table = try foundation(walk, in: frame) as? [String: Any] else { return .nothing }
      return .value(isMutable ? NSMutableDictionary(dictionary: table) : NSDictionary(dictionary: table))
    case .unsupportedKeys(let key):
      warn(.unsupportedDictionaryKeyType(key), frame)
      return .nothing
    case .cast: return try castContainer(walk, conversion, in: frame)
    case nil: return reject(walk, conversion, frame)
    }
  }

  /// Converts a container to the Foundation type that casts to the declared type.
  private func castContainer(
    _ walk: ChildWalk, _ conversion: Conversion, in frame: ReadFrame?
  ) throws(JSONModelError) -> Outcome {
    guard let value = try foundation(walk, in: frame),
      let cast = conversion.cast(value) ?? conversion.cast(FoundationReader.object(value))
    else { return reject(walk, conversion, frame) }
    return .value(cast)
  }

  private func target(
    _ object: any JSONKeyValueCreatable, in frame: ReadFrame?
  ) throws(JSONModelError) -> ReadFrame.Target {
    let plan = ModelPlan.of(object)
    guard plan.failure == nil else {
      throw JSONModelError(code: .reflectionUnavailable, keyPath: keyPath(frame), typeName: "\(type(of: object))")
    }
    return .object(object, plan)
  }

  /// Returns the value as JSONSerialization returns it; `nil` for a number beyond the range of Double.
  private func foundation(_ walk: ChildWalk, in frame: ReadFrame?) throws(JSONModelError) -> Any? {
    do throws(FoundationObjects.TooDeep) {
      return try FoundationReader.value(walk.json, maxDepth: JSONLimits.maxRecursion - 1 - outer.count) { steps in
        warn(.unsupportedConversion(NSNumber.self, Any.self), frame, last: steps)
      }
    } catch {
      throw JSONModelError(code: .tooDeep, keyPath: keyPath(frame), typeName: "\(walk.json.foundationType)")
    }
  }

  /// Null leaves a property unchanged. In a container it is an element if the element type has a value for null.
  private func null(_ walk: ChildWalk, _ conversion: Conversion, in frame: ReadFrame?) -> Outcome {
    guard case .collection? = frame?.target else { return .nothing }
    if let value = conversion.nilValue { return .value(value) }
    switch conversion.typeRule {
    case .any, .anyObject: return .value(NSNull())
    case .json: return .value(JSON.null)
    case .date, .other: return reject(walk, conversion, frame)
    }
  }

  // MARK: Warnings

  private func reject(_ walk: ChildWalk, _ conversion: Conversion, _ frame: ReadFrame?) -> Outcome {
    warn(.unsupportedConversion(walk.json.foundationType, conversion.declared), frame)
    return .nothing
  }

  @inline(never)
  private func warn(_ error: any Error, _ frame: ReadFrame) {
    guard observer != nil else { return }
    warn(.keyValueError(keyPath(frame), FoundationReader.shown(frame.walk.json), NSError.holding(error)), frame)
  }

  private func warn(_ warning: JSONWarning, _ frame: ReadFrame?, last: [JSON.Step] = []) {
    guard let observer else { return }
    observer.observe(warning: warning, keyPath: keyPath(frame, last: last))
  }

  /// Returns the location of the current value.
  private func keyPath(_ frame: ReadFrame?, last: [JSON.Step] = []) -> String {
    let frames = outer + (frame.map { [$0] } ?? [])
    return (frames.compactMap { $0.step } + last).text
  }
}
