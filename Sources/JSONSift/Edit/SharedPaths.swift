/// The paths at which strings are copied without a change, with `*` for the index of an element. Only for receipts.
struct SharedPaths {
  private struct Step: Hashable {
    let parent: Int32
    /// `nil` for an element.
    let name: MemberName?
  }

  private var numbers: [Step: Int32] = [:]
  private var steps: [Step] = []
  private var isNoted: [Bool] = [false]
  private let root: String

  /// The number of paths after which further ones are not told apart.
  private static let maxPaths = Sizes.of(10_000, fuzzing: 8)
  static let unknown: Int32 = -1

  /// - Parameter level: How many texts enclose the text, in strings.
  init(level: Int) { root = String(repeating: "json in ", count: level) + "$" }

  /// Returns the number of the path of a child.
  mutating func child(of parent: Int32, key: UnsafeRawBufferPointer?) -> Int32 {
    guard parent >= 0 else { return Self.unknown }
    let step = Step(parent: parent, name: unsafe key.map { unsafe MemberName(String(utf8: $0)) })
    if let known = numbers[step] { return known }
    guard steps.count < Self.maxPaths else { return Self.unknown }
    steps.append(step)
    isNoted.append(false)
    let number = Int32(truncatingIfNeeded: steps.count)
    numbers[step] = number
    return number
  }

  /// Notes a string. Returns the text of its path, if it is the first string there.
  mutating func note(_ path: Int32) -> String? {
    guard path >= 0 else { return "…" }
    guard !isNoted[Int(path)] else { return nil }
    isNoted[Int(path)] = true
    return text(path)
  }

  private func text(_ path: Int32) -> String {
    var texts: [String] = []
    var path = path
    while path > 0 {
      let step = steps[Int(path) - 1]
      texts.append(step.name.map { JSONPath.step($0.string) } ?? "[*]")
      path = step.parent
    }
    return root + texts.reversed().joined()
  }
}
