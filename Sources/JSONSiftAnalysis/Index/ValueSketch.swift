import JSONSift

/// A summary of the values of one path in one block of records. It can show that a comparison holds for none of them.
struct ValueSketch: Sendable, Hashable {
  /// The types of the values.
  struct Kinds: OptionSet, Sendable, Hashable {
    let rawValue: UInt8
    static let null = Kinds(rawValue: 1)
    static let `false` = Kinds(rawValue: 2)
    static let `true` = Kinds(rawValue: 4)
    static let number = Kinds(rawValue: 8)
    static let string = Kinds(rawValue: 16)
    static let container = Kinds(rawValue: 32)
    /// There are strings that are not in the bounds or not in the hashes.
    static let otherString = Kinds(rawValue: 64)
    /// There are numbers beyond the range of Double.
    static let otherNumber = Kinds(rawValue: 128)
  }

  struct StringBounds: Sendable, Hashable {
    var least, greatest: [UInt8]
  }

  var kinds: Kinds = []
  /// The least and the greatest of the Doubles that are nearest to the numbers.
  var numbers: ClosedRange<Double>?
  /// The first bytes of the least and of the greatest string.
  var strings: StringBounds?
  /// The hashes of numbers and strings.
  var hashes = BloomFilter()

  /// The number of first bytes of a string that the bounds store.
  static let boundBytes = 32
  /// The maximum length of a string that is hashed.
  static let maxHashedBytes = 1 << 10
}

extension ValueSketch {
  /// Whether all numbers and strings are less than those of another sketch, as their bounds show.
  func isBelow(_ other: ValueSketch) -> Bool {
    guard kinds.union(other.kinds).isDisjoint(with: [.otherString, .otherNumber]) else { return false }
    if let numbers, let others = other.numbers, numbers.upperBound >= others.lowerBound { return false }
    if let strings, let others = other.strings, !strings.greatest.lexicographicallyPrecedes(others.least) {
      return false
    }
    return true
  }
}

/// Collects the values of one path in one block of records.
struct ValueSketcher {
  private var sketch = ValueSketch()
  private var hashes = HashSet()
  // The bounds of the strings. All blocks reuse their memory.
  private var hasStrings = false
  private var least: [UInt8] = []
  private var greatest: [UInt8] = []
  // The number of values in the bounds, and how many of them were not less than any earlier one.
  private var bounded = 0
  private var rising = 0

  /// Adds the text of a value, which is JSON.
  mutating func add(_ text: UnsafeRawBufferPointer) {
    guard let first = unsafe text.first else { return }
    switch first {
    case UInt8(ascii: "\""): unsafe add(string: text)
    case UInt8(ascii: "{"), UInt8(ascii: "["): sketch.kinds.insert(.container)
    case UInt8(ascii: "n"): sketch.kinds.insert(.null)
    case UInt8(ascii: "t"): sketch.kinds.insert(.true)
    case UInt8(ascii: "f"): sketch.kinds.insert(.false)
    default: unsafe add(NumberBytes.double(text))
    }
  }

  private mutating func add(_ number: Double) {
    sketch.kinds.insert(.number)
    guard number.isFinite else {
      sketch.kinds.insert(.otherNumber)
      return
    }
    count(isRising: sketch.numbers.map { number >= $0.upperBound } ?? true)
    sketch.numbers = sketch.numbers.map { min($0.lowerBound, number)...max($0.upperBound, number) } ?? number...number
    hashes.insert(SketchHash.of(number))
  }

  private mutating func add(string text: UnsafeRawBufferPointer) {
    let inside = unsafe UnsafeRawBufferPointer(rebasing: text.dropFirst().dropLast())
    if unsafe inside.firstOffset(of: UInt8(ascii: "\\")) == nil { return unsafe add(characters: inside) }
    // A reader may replace a lone surrogate before it compares the string, so the string is not added.
    guard unsafe ByteScan.surrogateCandidate(inside) == nil, let decoded = unsafe try? JSON(parsing: text).string else {
      sketch.kinds.formUnion([.string, .otherString])
      return
    }
    var string = decoded
    string.withUTF8 { unsafe add(characters: UnsafeRawBufferPointer($0)) }
  }

  private mutating func add(characters: UnsafeRawBufferPointer) {
    sketch.kinds.insert(.string)
    let first = unsafe UnsafeRawBufferPointer(rebasing: characters.prefix(ValueSketch.boundBytes))
    if hasStrings {
      let order = unsafe greatest.withUnsafeBytes { unsafe first.lexicalOrder($0) }
      if order > 0 {
        unsafe Self.set(&greatest, to: first)
      } else if order < 0, unsafe least.withUnsafeBytes({ unsafe first.lexicalOrder($0) }) < 0 {
        unsafe Self.set(&least, to: first)
      }
      count(isRising: order >= 0)
    } else {
      count(isRising: true)
      unsafe Self.set(&least, to: first)
      unsafe Self.set(&greatest, to: first)
      hasStrings = true
    }
    if characters.count <= ValueSketch.maxHashedBytes {
      unsafe hashes.insert(SketchHash.of(characters))
    } else {
      sketch.kinds.insert(.otherString)
    }
  }

  private static func set(_ bound: inout [UInt8], to first: UnsafeRawBufferPointer) {
    bound.removeAll(keepingCapacity: true)
    unsafe bound.append(contentsOf: first)
  }

  private mutating func count(isRising: Bool) {
    bounded += 1
    if isRising { rising += 1 }
  }

  /// Whether most values were not less than any earlier one. Then the bounds alone may show which blocks contain a
  /// value.
  var isRising: Bool { rising > bounded / 2 }

  /// The number of different values that were hashed.
  var distinct: Int { hashes.count }

  /// Returns the sketch, and begins another block.
  ///
  /// - Parameter bitsPerHash: The number of bits of the filter for each hash.
  mutating func finish(bitsPerHash: Int = BloomFilter.maxBitsPerHash) -> ValueSketch {
    defer {
      sketch = ValueSketch()
      hashes.removeAll()
      (bounded, rising, hasStrings) = (0, 0, false)
    }
    if hasStrings { sketch.strings = ValueSketch.StringBounds(least: least, greatest: greatest) }
    sketch.hashes = BloomFilter(of: hashes, bitsPerHash: bitsPerHash)
    return sketch
  }
}
