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
  /// The number of paths to hold.
  private var maxPaths = Sizes.of(10_000, fuzzing: 8)

  private static let maxName = 256
  private static let maxText = 1000

  /// - Parameter level: How many texts enclose the text, in strings.
  init(level: Int) { root = String(repeating: "json in ", count: level) + "$" }

  /// Whether paths should be forgotten before the next one.
  var isFull: Bool { steps.count >= maxPaths }

  /// Forgets all paths but those of open containers, each in the next one. Returns their new numbers. What was noted may be
  /// noted again.
  mutating func forget(except open: [Int32]) -> [Int32] {
    let known = steps
    numbers = [:]
    steps = []
    isNoted = [false]
    var path: Int32 = 0
    let paths = open.map { number in
      if number > 0 { path = child(of: path, known[Int(number) - 1].name) }
      return path
    }
    maxPaths = max(maxPaths, 2 * paths.count)
    return paths
  }

  /// Returns the number of the path of a child. A long name is cut.
  mutating func child(of parent: Int32, key: UnsafeRawBufferPointer?) -> Int32 {
    child(of: parent, unsafe key.map { unsafe MemberName($0.count > Self.maxName ? Self.cut($0) : String(utf8: $0)) })
  }

  private static func cut(_ key: UnsafeRawBufferPointer) -> String {
    unsafe String(utf8: UnsafeRawBufferPointer(rebasing: key[..<maxName])) + "…"
  }

  private mutating func child(of parent: Int32, _ name: MemberName?) -> Int32 {
    let step = Step(parent: parent, name: name)
    if let known = numbers[step] { return known }
    steps.append(step)
    isNoted.append(false)
    let number = Int32(truncatingIfNeeded: steps.count)
    numbers[step] = number
    return number
  }

  /// Notes a string. Returns the text of its path, if it is the first string there.
  mutating func note(_ path: Int32) -> String? {
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
    let text = root + texts.reversed().joined()
    return text.utf8.count > Self.maxText ? String(decoding: text.utf8.prefix(Self.maxText), as: UTF8.self) + "…" : text
  }
}

/// The first paths of strings in the order of their bytes. These are the same however the input is divided among workers, and
/// need bounded memory.
package struct PathList: Sendable, Hashable {
  private var texts: Set<MemberName> = []
  /// The last of the paths that remained when others were removed.
  private var limit: MemberName?

  private static let maxCount = Sizes.of(10_000, fuzzing: 8)

  package mutating func insert(_ text: String) { insert(MemberName(text)) }

  package mutating func formUnion(_ other: PathList) {
    for text in other.texts { insert(text) }
    if let limit = other.limit { remove(after: limit) }
  }

  private mutating func insert(_ text: MemberName) {
    if let limit, Self.precedes(limit, text) { return }
    texts.insert(text)
    if texts.count >= 2 * Self.maxCount { remove(after: Self.sorted(texts)[Self.maxCount - 1]) }
  }

  private mutating func remove(after text: MemberName) {
    if let limit, !Self.precedes(text, limit) { return }
    limit = text
    texts = texts.filter { !Self.precedes(text, $0) }
  }

  /// The paths in their order, and `…` for further ones.
  var list: [String] {
    let all = Self.sorted(texts).map(\.string)
    return all.prefix(Self.maxCount) + (limit != nil || all.count > Self.maxCount ? ["…"] : [])
  }

  private static func sorted(_ texts: Set<MemberName>) -> [MemberName] { texts.sorted { precedes($0, $1) } }

  private static func precedes(_ left: MemberName, _ right: MemberName) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
  }
}
