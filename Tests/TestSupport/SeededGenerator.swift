import Foundation

/// SplitMix64: the same seed produces the same numbers on every machine.
///
/// `JSONSIFT_TEST_SEED` sets the seed; without it the seed is random. Include the generator in the message of an
/// expectation: its description contains the setting that repeats the run.
package struct SeededGenerator: RandomNumberGenerator, Sendable, CustomStringConvertible {
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64? = nil) {
    self.seed = seed ?? Self.named ?? UInt64.random(in: 0 ... .max)
    state = self.seed
  }

  /// Read once: a test may make a hundred thousand generators.
  private static let named = ProcessInfo.processInfo.environment["JSONSIFT_TEST_SEED"].flatMap { UInt64($0) }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  package var description: String { "JSONSIFT_TEST_SEED=\(seed)" }

  /// Returns a generator with a new seed, which it prints.
  package static func announced(_ name: String = #function) -> SeededGenerator {
    let generator = SeededGenerator()
    print("\(name): \(generator)")
    return generator
  }

  package mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() >> 1) % bound }

  package mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}
