/// The arguments, with the values of an option that is repeated often replaced by one placeholder: the parser compares each
/// argument with all others.
struct RepeatedOptions {
  private(set) var texts: [String]
  /// The values of an option by placeholder.
  private var values: [String: [String]] = [:]

  /// The options that may be repeated. A short form is another name of the long one.
  private static let options = [
    "--select": "--select", "--type": "--type", "--path": "--path", "-p": "--path", "--of": "--of", "--by": "--by",
    "--distinct": "--distinct", "--set": "--set", "--delete": "--delete", "--rename": "--rename", "--mask": "--mask",
  ]
  private static let minRepeated = 32

  init(_ texts: [String]) {
    self.texts = texts
    guard texts.count > Self.minRepeated else { return }
    /// For each option, the arguments of each occurrence, and the value.
    var found: [String: [(arguments: Range<Int>, value: String)]] = [:]
    var index = 0
    while index < texts.count, texts[index] != "--" {
      let start = index
      index += 1
      let text = texts[start].utf8
      let end = text.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
      guard let option = Self.options[String(texts[start][..<end])] else {
        // It takes any argument as its value.
        if texts[start] == "--null" { index += 1 }
        continue
      }
      if end < text.endIndex {
        let value = String(texts[start][text.index(after: end)...])
        if !value.isEmpty { found[option, default: []].append((start..<index, value)) }
      } else if index < texts.count, texts[index].utf8.first != UInt8(ascii: "-") {
        index += 1
        found[option, default: []].append((start..<index, texts[index - 1]))
      }
    }
    var kept: [String?] = texts
    for (option, all) in found where all.count > Self.minRepeated {
      let placeholder = "\u{F8FF}jsift-values-\(values.count)"
      values[placeholder] = all.map(\.value)
      for index in all.lazy.flatMap(\.arguments) { kept[index] = nil }
      kept[all[0].arguments.lowerBound] = "\(option)=\(placeholder)"
    }
    self.texts = kept.compactMap { $0 }
  }

  /// Returns the values of an option as typed, for those that the parser has returned.
  func values(of texts: [String]) -> [String] {
    if values.isEmpty { return texts }
    return texts.flatMap { values[$0] ?? [$0] }
  }
}
