import Foundation
import JSONSift

/// Cases that run through both coders, and their outcomes.
struct ConformanceTable {
  private(set) var cases = 0
  /// Cases that differ although no difference is expected.
  private(set) var unexplained: [String] = []
  /// Cases that do not differ although a difference is expected.
  private(set) var stale: [String] = []
  /// The numbers of the differences in Documentation/Codable.md that at least one case has shown.
  private(set) var shown: Set<Int> = []

  private mutating func note(
    _ makeName: @autoclosure () -> String, _ isSame: Bool, _ difference: Int?, _ makeOurs: @autoclosure () -> String,
    _ makeTheirs: @autoclosure () -> String
  ) {
    cases += 1
    // Foundation's Date has no description if it is infinite.
    if isSame, difference == nil { return }
    let (name, ours, theirs) = (makeName(), makeOurs(), makeTheirs())
    switch (isSame, difference) {
    case (true, nil): break
    case (true, let difference?): stale.append("\(name): said to differ by \(difference); both: \(ours)")
    case (false, nil) where ours.hasPrefix("dataCorrupted at [") && theirs == "dataCorrupted at []": shown.insert(1)
    case (false, nil): unexplained.append("\(name)\n    ours   \(ours)\n    theirs \(theirs)")
    case (false, let difference?): shown.insert(difference)
    }
  }

  private static func isSame<T: Equatable>(_ ours: Outcome<T>, _ theirs: Outcome<T>) -> Bool {
    switch (ours, theirs) {
    case (.value(let left), .value(let right)):
      // Distinguishes the sign of zero, and compares NaN as equal.
      if let left = left as? Double, let right = right as? Double { return left.bitPattern == right.bitPattern }
      if let left = left as? Float, let right = right as? Float { return left.bitPattern == right.bitPattern }
      return left == right
    case (.failure(let left, let leftPath), .failure(let right, let rightPath)):
      return left == right && leftPath == rightPath
    default: return false
    }
  }

  /// The text of a failed expectation.
  var report: String { "\n" + (unexplained.prefix(60) + stale.prefix(20)).joined(separator: "\n") }

  var isConform: Bool { unexplained.isEmpty && stale.isEmpty }

  /// Decodes a text with both decoders.
  mutating func decode<T: Decodable & Equatable>(
    _ type: T.Type, _ text: String, differs difference: Int? = nil, _ name: String = "",
    ours: JSONSiftDecoder = JSONSiftDecoder(), theirs: JSONDecoder = JSONDecoder()
  ) {
    let bytes = Array(text.utf8)
    let left = Outcome { try ours.decode(type, from: bytes) }
    let right = Outcome { try theirs.decode(type, from: Data(bytes)) }
    note("decode \(type) \(text.prefix(300)) \(name)", Self.isSame(left, right), difference, left.text, right.text)
    // The same without reused containers.
    let plain = Outcome { try ours.withoutReuse().decode(type, from: bytes) }
    if !Self.isSame(left, plain) {
      unexplained.append("decode \(type) without reused containers, \(text): \(plain.text), not \(left.text)")
    }
    // The same with failures of elements reported, unless there are some.
    let log = FailureLog()
    ours.elementFailures = .report(log.add)
    let reporting = Outcome { try ours.decode(type, from: bytes) }
    ours.elementFailures = .throw
    if case .value = left, !log.failures.isEmpty {
      unexplained.append("decode \(type) \(text) reports \(log.lines)")
    } else if log.failures.isEmpty, !Self.isSame(left, reporting) {
      unexplained.append("decode \(type) with reports, \(text): \(reporting.text), not \(left.text)")
    }
    // The same from an existing JSON, parsed or built.
    guard let json = try? JSON(parsing: bytes) else { return }
    let again = Outcome { try json.decode(type, with: ours) }
    if !Self.isSame(left, again) {
      unexplained.append("decode \(type) from a JSON \(text): \(again.text), not \(left.text)")
    }
    guard json.type == .dictionary else { return }
    var built = json
    built["not there"] = 1
    built.removeValue(forKey: "not there")
    let third = Outcome { try built.decode(type, with: ours) }
    if !Self.isSame(left, third) {
      unexplained.append("decode \(type) from a built JSON \(text): \(third.text), not \(left.text)")
    }
  }

  /// Encodes a value with both encoders: the texts must be equal, byte for byte, with sorted keys, and as pretty text.
  mutating func encode<T: Encodable>(
    _ value: T, differs difference: Int? = nil, _ name: String = "", ours: JSONSiftEncoder = JSONSiftEncoder(),
    theirs: JSONEncoder = JSONEncoder()
  ) {
    for formatting in [
      JSONEncoder.OutputFormatting.sortedKeys, [.sortedKeys, .prettyPrinted], [.sortedKeys, .withoutEscapingSlashes],
    ] {
      ours.outputFormatting = JSONSiftEncoder.OutputFormatting(rawValue: formatting.rawValue)
      theirs.outputFormatting = formatting
      let left = Outcome { try ours.string(of: value) }
      let right = Outcome { String(decoding: try theirs.encode(value), as: UTF8.self) }
      note(
        "encode \(T.self) \(String(describing: value).prefix(200)) \(name)", Self.isSame(left, right), difference,
        left.text, right.text)
    }
    // Unsorted output must have the same content.
    ours.outputFormatting = []
    if let text = try? ours.bytes(of: value), let json = try? JSON(parsing: text) {
      theirs.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
      guard let other = try? theirs.encode(value), let same = try? JSON(parsing: other) else { return }
      if json != same, difference == nil {
        unexplained.append("encode \(T.self) unsorted: \(String(decoding: text, as: UTF8.self)), not \(same)")
      }
    }
  }

  /// Encodes each value with both encoders.
  mutating func encode<each T: Encodable>(
    all value: repeat each T, differs difference: Int? = nil, named name: String = "",
    with coders: (ours: JSONSiftEncoder, theirs: JSONEncoder) = (JSONSiftEncoder(), JSONEncoder())
  ) { repeat encode(each value, differs: difference, name, ours: coders.ours, theirs: coders.theirs) }

  /// Decodes a text as each type with both decoders.
  mutating func decode<each T: Decodable & Equatable>(
    _ text: String, as type: repeat (each T).Type, differs difference: Int? = nil,
    with coders: (ours: JSONSiftDecoder, theirs: JSONDecoder) = (JSONSiftDecoder(), JSONDecoder())
  ) { repeat decode(each type, text, differs: difference, ours: coders.ours, theirs: coders.theirs) }
}
