import JSONSift

/// The hashes of a JSON value. Values that are equal by RFC 9535 have equal hashes: numbers by their exact value,
/// strings by their characters. Containers are hashed by their canonical text, by which they are grouped, too.
struct DistinctHash: BitwiseCopyable, Equatable {
  /// A hash without a seed: an estimate depends on it, and must be the same in each run. Values that were constructed
  /// for it can make an estimate wrong, but no exact number.
  let fixed: UInt64
  /// Seeded at random for each process, so that an input cannot be constructed whose values have the same hashes. Two
  /// values are the same if both of these are.
  let first: UInt64
  let second: UInt64

  /// Placeholder hashes for an absent value.
  static let none = DistinctHash(fixed: 0, first: 0, second: 0)

  static func == (left: DistinctHash, right: DistinctHash) -> Bool {
    left.first == right.first && left.second == right.second
  }

}

extension DistinctHash {
  /// Hashes the text of a value, which is JSON.
  init(_ text: UnsafeRawBufferPointer) {
    var state = State()
    let first = unsafe text.first ?? 0
    switch first {
    case UInt8(ascii: "\""): unsafe state.add(string: text)
    case UInt8(ascii: "{"), UInt8(ascii: "["): unsafe state.add(container: text)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): unsafe state.add(number: text)
    default: unsafe state.add(.literal, text)
    }
    self.init(fixed: state.fixed.value, first: state.hash(0), second: state.hash(1))
  }

  private enum Kind: UInt64 {
    case literal, string, container, number, longNumber
  }

  private struct State {
    var fixed = SketchHash()
    private var seeded = Hasher()

    /// Returns the seeded hash after one more byte. The two hashes of a value add different bytes, so two different
    /// values have both hashes in common only by two coincidences, or if the states of their hashers are equal.
    func hash(_ last: UInt8) -> UInt64 {
      var seeded = seeded
      seeded.combine(last)
      return UInt64(truncatingIfNeeded: seeded.finalize())
    }

    private mutating func add(_ word: UInt64) {
      fixed.add(word)
      seeded.combine(word)
    }

    mutating func add(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
      add(kind.rawValue)
      unsafe fixed.add(bytes)
      seeded.combine(bytes.count)
      unsafe seeded.combine(bytes: bytes)
    }

    mutating func add(string text: UnsafeRawBufferPointer) {
      let inside = unsafe UnsafeRawBufferPointer(rebasing: text.dropFirst().dropLast())
      if unsafe inside.contains(UInt8(ascii: "\\")), var string = unsafe (try? JSON(parsing: text))?.string {
        return string.withUTF8 { unsafe add(.string, UnsafeRawBufferPointer($0)) }
      }
      unsafe add(.string, inside)
    }

    mutating func add(container text: UnsafeRawBufferPointer) {
      var canonical: [UInt8] = []
      unsafe canonical.append(canonical: text)
      unsafe canonical.withUnsafeBytes { unsafe add(.container, $0) }
    }

    /// Adds the sign, the digits without zeros at either end, and the power of ten of the last digit.
    mutating func add(number text: UnsafeRawBufferPointer) {
      switch unsafe ExactNumber(text: text) {
      case .small(let isNegative, let significand, let exponent):
        add(Kind.number.rawValue)
        add(significand)
        if significand != 0 { add(UInt64(truncatingIfNeeded: exponent) &<< 1 | (isNegative ? 1 : 0)) }
      case .large(let number) where !number.isOutOfRange:
        unsafe number.digits.withUnsafeBytes { unsafe add(.longNumber, $0) }
        add(number.isNegative ? 1 : 0)
        add(UInt64(truncatingIfNeeded: number.exponent))
      default: unsafe add(.literal, text)
      }
    }
  }
}
