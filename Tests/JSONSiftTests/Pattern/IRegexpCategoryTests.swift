import Testing

@testable import JSONSift

@Suite struct IRegexpCategoryTests {
  static let categories: [(name: String, category: Unicode.GeneralCategory)] = [
    ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter), ("Lm", .modifierLetter),
    ("Lo", .otherLetter), ("Mn", .nonspacingMark), ("Mc", .spacingMark), ("Me", .enclosingMark), ("Nd", .decimalNumber),
    ("Nl", .letterNumber), ("No", .otherNumber), ("Pc", .connectorPunctuation), ("Pd", .dashPunctuation),
    ("Ps", .openPunctuation), ("Pe", .closePunctuation), ("Pi", .initialPunctuation), ("Pf", .finalPunctuation),
    ("Po", .otherPunctuation), ("Sm", .mathSymbol), ("Sc", .currencySymbol), ("Sk", .modifierSymbol),
    ("So", .otherSymbol), ("Zs", .spaceSeparator), ("Zl", .lineSeparator), ("Zp", .paragraphSeparator),
    ("Cc", .control), ("Cf", .format), ("Co", .privateUse), ("Cn", .unassigned),
  ]

  /// Up to 40 characters of each category, spread over all of Unicode, with all of ASCII.
  static let samples: [Unicode.GeneralCategory: [Unicode.Scalar]] = {
    var samples: [Unicode.GeneralCategory: [Unicode.Scalar]] = [:]
    let far =
      stride(from: UInt32(0x80), to: 0x3000, by: 1).map { $0 } + stride(from: UInt32(0x3000), to: 0x11_0000, by: 97)
    for value in Array(0..<UInt32(0x80)) + far {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let category = scalar.properties.generalCategory
      if value < 0x80 || samples[category, default: []].count < 80 { samples[category, default: []].append(scalar) }
    }
    return samples
  }()

  @Test(arguments: categories)
  func `a category escape matches exactly the characters of its category`(
    name: String, category: Unicode.GeneralCategory
  ) throws {
    #expect(Self.samples[category]?.isEmpty == false)
    let major = String(name.prefix(1))
    for name in [name, major] {
      let names = Set(Self.categories.filter { $0.name.hasPrefix(name) }.map(\.category))
      let inside = try Engines(#"\p{\#(name)}"#)
      let outside = try Engines(#"\P{\#(name)}"#)
      let inClass = try Engines(#"[\p{\#(name)}]"#)
      let notInClass = try Engines(#"[^\p{\#(name)}]"#)
      for (category, scalars) in Self.samples {
        let expected = names.contains(category)
        for scalar in scalars {
          #expect(inside.takes(scalar) == expected, "\(scalar.value) in \(name)")
          #expect(outside.takes(scalar) != expected, "\(scalar.value) outside \(name)")
          #expect(inClass.takes(scalar) == expected, "\(scalar.value) in [\(name)]")
          #expect(notInClass.takes(scalar) != expected, "\(scalar.value) outside [\(name)]")
        }
      }
    }
  }

  @Test func `all categories together match all characters`() throws {
    let all = try Engines(#"[\p{L}\p{M}\p{N}\p{P}\p{Z}\p{S}\p{C}]"#)
    for scalar in Self.samples.values.joined() { #expect(all.takes(scalar)) }
  }

  /// A pattern with its tables, built once.
  struct Engines {
    let pattern: IRegexp
    let tables: IRegexpTables

    init(_ text: String) throws {
      pattern = try IRegexp(text)
      tables = IRegexpTables(pattern.program, whole: true)
      #expect(!tables.isEmpty)
    }

    /// Returns whether the pattern matches, or `nil` if the engines disagree.
    func takes(_ scalar: Unicode.Scalar) -> Bool? {
      let bytes = Array(String(scalar).utf8)
      var simulation = IRegexpSimulation(pattern.program)
      let answer = simulation.matches(bytes: bytes, whole: true)
      return tables.matches(bytes: bytes) == answer ? answer : nil
    }
  }
}

extension IRegexpCategoryTests.Engines {
  func takes(_ scalar: Unicode.Scalar) -> Bool {
    let answer: Bool? = takes(scalar)
    #expect(answer != nil)
    return answer ?? false
  }
}
