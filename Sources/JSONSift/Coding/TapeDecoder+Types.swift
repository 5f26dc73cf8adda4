#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TapeDecoder {
  /// Returns the value at `index`, of any type.
  ///
  /// It never makes a `T?`, whose type metadata would be looked up on each call.
  ///
  /// SAFETY of each cast: the comparison of the metatypes right before it proves that both types are the same. Worth
  /// it: conditional casts make a `T?`, and take 11 % more instructions (Scripts/measure instructions, decode).
  func unwrap<T: Decodable>(_ type: T.Type, at index: UInt32, _ step: CodingStep) throws -> T {
    if T.self == String.self {
      guard let value = string(at: index) else { throw valueError(type, at: index, step) }
      return unsafe unsafeBitCast(value, to: T.self)
    }
    if kind(index) == .arrayStart {
      if T.self == [String].self, let value: [String] = array(at: index) {
        return unsafe unsafeBitCast(value, to: T.self)
      }
      if T.self == [Int].self, let value: [Int] = array(at: index) {
        return unsafe unsafeBitCast(value, to: T.self)
      }
      if T.self == [Double].self, let value: [Double] = array(at: index) {
        return unsafe unsafeBitCast(value, to: T.self)
      }
      if !context.hasStrategies, let elementwise = unsafe context.elementwiseTypes.find(type) {
        return try nested(index, step) { try elementwise.decode(as: type, from: $0) }
      }
    }
    if T.self == Date.self { return try unsafe unsafeBitCast(date(at: index, step), to: T.self) }
    if T.self == Data.self { return try unsafe unsafeBitCast(data(at: index, step), to: T.self) }
    if T.self == URL.self { return try unsafe unsafeBitCast(url(at: index, step), to: T.self) }
    if T.self == Decimal.self { return try unsafe unsafeBitCast(decimal(at: index, step), to: T.self) }
    if T.self == JSON.self { return unsafe unsafeBitCast(json(at: index), to: T.self) }
    if context.hasStrategies { return try unwrapWithStrategies(type, at: index, step) }
    return try nested(index, step) { try T(from: $0) }
  }

  /// A separate function, because most decoders have none of these strategies.
  @inline(never)
  private func unwrapWithStrategies<T: Decodable>(_ type: T.Type, at index: UInt32, _ step: CodingStep) throws -> T {
    let failureCount = unsafe context.failures.count
    do {
      if kind(index).isStart, let elementwise = unsafe context.elementwiseTypes.find(type) {
        return try nested(index, step) { try elementwise.decode(as: type, from: $0) }
      }
      return try nested(index, step) { try T(from: $0) }
    } catch {
      // A type may catch the error: then elements inside this value are not in the result, and not reported.
      unsafe context.failures.removeLast(context.failures.count - failureCount)
      throw error
    }
  }

  /// Returns the elements of an array, or `nil` if one of them cannot be decoded. A copy of `any
  /// UnkeyedDecodingContainer` for each element would cost more than decoding it.
  private func array<Element: TapeScalar>(at index: UInt32) -> [Element]? {
    let count = word(index &+ 1).childCount
    guard count > 0 else { return [] }
    var elements: [Element] = []
    elements.reserveCapacity(count)
    var next = index &+ 2
    let end = after(index) &- 1
    while next < end {
      // The generic path throws the error.
      guard let value = Element.value(at: next, in: self) else { return nil }
      elements.append(value)
      next = after(next)
    }
    return elements
  }

  private func json(at index: UInt32) -> JSON {
    guard let document = context.document, index >= Document.root else { return .null }
    return JSON(document, index)
  }

  // MARK: Types of Foundation

  private func date(at index: UInt32, _ step: CodingStep) throws -> Date {
    guard kind(index) != .null else { throw valueError(Date.self, at: index, step) }
    switch context.settings.value.dateDecodingStrategy {
    case .deferredToDate: return Date(timeIntervalSinceReferenceDate: try scalar(at: index, step))
    case .secondsSince1970: return Date(timeIntervalSince1970: try scalar(at: index, step))
    case .millisecondsSince1970: return Date(timeIntervalSince1970: try scalar(at: index, step) / 1000)
    case .iso8601:
      guard let date = InternetDate.date(try scalar(at: index, step)) else {
        throw corrupted(at: index, step, "Expected date string to be ISO8601-formatted.")
      }
      return date
    case .time(let unit):
      guard let time = Instant(json(at: index), unit) else {
        throw corrupted(at: index, step, "Expected a time: RFC 3339, or a number since 1970.")
      }
      return InternetDate.date(time)
    case .formatted(let parse):
      let text: String = try scalar(at: index, step)
      do { return try parse(text) } catch {
        throw corrupted(at: index, step, "Date string does not match format expected by formatter.", because: error)
      }
    case .custom(let make): return try nested(index, step) { try make($0) }
    }
  }

  private func data(at index: UInt32, _ step: CodingStep) throws -> Data {
    guard kind(index) != .null else { throw valueError(Data.self, at: index, step) }
    switch context.settings.value.dataDecodingStrategy {
    case .deferredToData: return try nested(index, step) { try Data(from: $0) }
    case .base64:
      guard let text = string(at: index) else { throw mismatch(String.self, at: index, step) }
      guard let data = Data(base64Encoded: text) else {
        throw corrupted(at: index, step, "Encountered Data is not valid Base64.")
      }
      return data
    case .custom(let make): return try nested(index, step) { try make($0) }
    }
  }

  private func url(at index: UInt32, _ step: CodingStep) throws -> URL {
    guard let text = string(at: index) else { throw valueError(URL.self, at: index, step, orMismatchOf: String.self) }
    guard let url = URL(string: text) else { throw corrupted(at: index, step, "Invalid URL string.") }
    return url
  }

  private func decimal(at index: UInt32, _ step: CodingStep) throws -> Decimal {
    let value = unsafe withNumber(at: index) { text -> Decimal? in
      if let number = unsafe DecimalText(prefixOf: text), let exact = number.decimal { return exact }
      // A `Decimal` has fewer digits: Foundation rounds.
      return unsafe Decimal(string: String(utf8: text))
    }
    guard let value, !value.isNaN else { throw numberError(Decimal.self, at: index, step) }
    return value
  }
}
