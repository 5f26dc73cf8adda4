import Foundation
import JSONSift

/// Converts models to JSON values. The stack is on the heap, so the nesting depth does not depend on the stack of the
/// thread.
struct ModelWriter {
  private enum Outcome {
    case value(JSON)
    /// The value is `nil`.
    case absent
    /// The value cannot be represented in JSON.
    case nothing
    /// The value is a container, and its frame is now on the stack.
    case opened
  }

  private let date: ((Date) -> (any JSONLeafRepresentable)?)?
  private let observer: (any JSONWarningObserver)?
  private var open: [WriteFrame] = []

  init(date: ((Date) -> (any JSONLeafRepresentable)?)?, observer: (any JSONWarningObserver)?) {
    self.date = date
    self.observer = observer
  }

  /// Returns the value as JSON, or `nil` if JSON cannot represent it.
  ///
  /// - Throws: ``JSONModelError``.
  mutating func write(_ value: Any) throws(JSONModelError) -> JSON? {
    switch try begin(value, nil) {
    case .value(let json): return json
    case .absent, .nothing: return Optional.none
    case .opened: return try finish()
    }
  }

  // MARK: The stack

  /// Writes until the outermost container is complete.
  private mutating func finish() throws(JSONModelError) -> JSON {
    while true {
      let frame = open[open.count - 1]
      var isOpened = false
      while !isOpened, let child = frame.next() {
        let step = frame.step(to: child)
        switch try begin(child.value, step) {
        case .value(let json): frame.append(json, step)
        case .absent: if frame.writesNil { frame.append(.null, step) }
        case .nothing: break
        case .opened: isOpened = true
        }
      }
      if isOpened { continue }
      open.removeLast()
      guard let outer = open.last else { return frame.json }
      outer.append(frame.json, frame.step)
    }
  }

  private mutating func push(
    _ children: AnyIterator<WriteFrame.Child>, isObject: Bool, _ step: JSON.Step?, _ value: Any
  ) throws(JSONModelError) -> Outcome {
    // Only an instance of a class can contain itself.
    let identity = Swift.type(of: value) is AnyClass ? value as AnyObject : nil
    if let identity, open.contains(where: { $0.identity === identity }) { throw error(.cycle, step, value) }
    guard open.count < JSONLimits.maxRecursion else { throw error(.tooDeep, step, value) }
    open.append(WriteFrame(children, isObject: isObject, step, identity))
    return .opened
  }

  // MARK: Conversion rules

  private mutating func begin(_ value: Any, _ step: JSON.Step?) throws(JSONModelError) -> Outcome {
    var value = value
    // Limits proxies of proxies: a proxy that returns itself would not terminate.
    var proxies = 0
    while true {
      switch WriteRule.of(value) {
      case .optional:
        guard let wrapped = (value as? any OptionalReflection)?.wrappedValue else { return .absent }
        value = wrapped
      case .proxy:
        guard let provider = value as? any JSONProxyProvider else { return .nothing }
        proxies += 1
        guard proxies <= JSONLimits.maxRecursion else { throw error(.cycle, step, value) }
        value = provider.jsonProxy
      case .standardLeaf(let json): return json(value).map { .value($0) } ?? reject(value, step)
      case .leaf:
        let leaf = (value as? any JSONLeafRepresentable)?.jsonLeafValue
        return leaf?.json.map { .value($0) } ?? reject(value, step)
      case .date:
        guard let date, let moment = value as? Date else { return .nothing }
        // A date for which the block returns `nil` is omitted; any other result must be a leaf.
        guard let leaf = date(moment) else { return .nothing }
        return leaf.jsonLeafValue?.json.map { .value($0) } ?? reject(leaf, step)
      case .dictionary:
        guard Children.hasPairs(value) else { return try object(value, step) }
        return try push(members(of: value, step), isObject: true, step, value)
      case .collection: return try push(Children.elements(of: value), isObject: false, step, value)
      case .object: return try object(value, step)
      case .wrapped:
        guard let hashable = value as? AnyHashable else { return .nothing }
        value = hashable.base
      case .unwritable:
        warn(.unsupportedConversion((value as? Unwritable)?.type ?? Void.self, JSONLeafValue.self), step)
        return .nothing
      case .unreadable: throw error(.reflectionUnavailable, step, value)
      }
    }
  }

  private mutating func object(_ value: Any, _ step: JSON.Step?) throws(JSONModelError) -> Outcome {
    let mirror = Mirror(reflecting: value)
    // A value that matches no rule may still be a collection according to its Mirror.
    switch mirror.displayStyle {
    case .collection, .set: return try push(Children.elements(of: value), isObject: false, step, value)
    case .dictionary: return try push(members(of: value, step), isObject: true, step, value)
    default: break
    }
    guard let properties = Children.properties(mirror) else { return reject(value, step) }
    return try push(properties, isObject: true, step, value)
  }

  /// Returns the members of a dictionary, with their keys as strings.
  private func members(of dictionary: Any, _ step: JSON.Step?) -> AnyIterator<WriteFrame.Child> {
    let pairs = Children.pairs(of: dictionary)
    let writer = self
    return AnyIterator {
      while let (key, value) = pairs.next() {
        if let name = Self.name(key) { return WriteFrame.Child(name: name, value: value) }
        writer.warn(.unsupportedDictionaryKeyType(Self.type(of: key)), step)
      }
      return nil
    }
  }

  private static func name(_ key: Any) -> String? {
    let key = (key as? AnyHashable)?.base ?? key
    if let name = key as? String { return name }
    if let key = key as? NSString { return String(key) }
    // A leaf precedes `description`: the description of Data is its length.
    if case .standardLeaf(let json) = WriteRule.of(key), let name = json(key)?.string { return name }
    if let key = key as? any CustomStringConvertible { return key.description }
    switch (key as? any JSONLeafRepresentable)?.jsonLeafValue {
    case .string(let name): return String(name)
    case .number(let number): return number.json.stringValue
    case .null, nil: return nil
    }
  }

  private static func type(of key: Any) -> Any.Type { Swift.type(of: (key as? AnyHashable)?.base ?? key) }

  // MARK: Warnings and errors

  private func reject(_ value: Any, _ step: JSON.Step?) -> Outcome {
    warn(.unsupportedConversion(Swift.type(of: value), JSONLeafValue.self), step)
    return .nothing
  }

  private func warn(_ warning: JSONWarning, _ step: JSON.Step?) {
    guard let observer else { return }
    observer.observe(warning: warning, keyPath: keyPath(step))
  }

  private func error(_ code: JSONModelError.Code, _ step: JSON.Step?, _ value: Any) -> JSONModelError {
    JSONModelError(code: code, keyPath: keyPath(step), typeName: "\(Swift.type(of: value))")
  }

  private func keyPath(_ last: JSON.Step?) -> String { (open.compactMap { $0.step } + (last.map { [$0] } ?? [])).text }
}
