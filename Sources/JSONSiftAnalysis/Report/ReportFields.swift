import JSONSift

/// The fields that a report is about, and why.
package struct ReportFields: Sendable {
  package struct Choice: Sendable {
    package let path: JSONPath
    /// The path as it was typed or found, for people and commands.
    package let text: String
    /// Why this field was chosen, for people.
    package let reason: String

    package init(_ path: JSONPath, _ text: String, reason: String) {
      (self.path, self.text, self.reason) = (path, text, reason)
    }

    fileprivate init(_ field: Field, _ reason: String) { self.init(field.path, field.text, reason: reason) }
  }

  package var time: Choice?
  package var level: Choice?
  package var message: Choice?
  /// Fields with many different numbers.
  package var numbers: [Choice] = []
  /// Fields with few different values.
  package var values: [Choice] = []

  /// The fields by what they are for; `nil` for one that was neither named nor found.
  package var byRole: [(role: JSONReport.Field.Role, choice: Choice?)] {
    [(.time, time), (.level, level), (.message, message)] + numbers.map { (.number, $0) } + values.map { (.value, $0) }
  }

  /// The largest number of records in which the fields are found.
  package static let sampleCount = 1000
  /// The number of bytes after which the fields are found in fewer records.
  package static let sampleBytes = 1 << 20

  package static let maxNumbers = 6
  package static let maxValues = 8
  /// The largest number of different values in the sample with which a field has few.
  private static let fewValues = 24
  /// The number of paths of the sample that are looked at.
  private static let maxPaths = 300

  private static let levelNames = [
    "level", "severity", "lvl", "loglevel", "log_level", "levelname", "severity_text", "severitytext", "priority", "@l",
  ]
  private static let messageNames = [
    "message", "msg", "event", "text", "body", "short_message", "log", "@m", "@mt", "description",
  ]

  /// Fields that were named; the others are to be found.
  package init() {}

  /// Finds the fields in the first records that were not named.
  package init(_ named: ReportFields, in sample: [JSON]) {
    self = named
    let found = Self.paths(of: sample).map { Field($0.text, $0.path, in: sample) }
    let records = "the first \(sample.count == 1 ? "record" : "\(sample.count) records")"
    func share(_ count: Int) -> String { "\(max(count * 100 / max(sample.count, 1), 1)) % of \(records)" }

    if time == nil {
      let common = JSONTimeWindow.commonPaths.compactMap { path in found.first { $0.path == path } }
        .filter { $0.times * 2 > $0.count }
      let others = found.filter { $0.textTimes == $0.strings && $0.strings * 10 >= $0.count * 9 && $0.textTimes > 0 }
      // A constant says nothing about when.
      func changing(_ fields: [Field]) -> [Field] { fields.filter { $0.different.count > 1 } }
      if let best = Self.most(changing(common), by: \.times) ?? Self.most(changing(others), by: \.textTimes)
        ?? Self.most(common, by: \.times) ?? Self.most(others, by: \.textTimes)
      {
        time = Choice(best, "a time in \(share(best.times))")
      }
    }
    if level == nil {
      let levels = Self.named(Self.levelNames, found).filter { $0.scalars == $0.count && $0.different.count <= 16 }
      if let best = levels.first {
        level = Choice(best, "its name, and \(best.different.count) values in \(share(best.count))")
      }
    }
    if message == nil {
      let messages = Self.named(Self.messageNames, found).filter { $0.strings * 2 > $0.count }
      if let best = Self.most(messages, by: \.strings) {
        message = Choice(best, "its name, and a text in \(share(best.strings))")
      }
    }
    let taken = [time, level, message].compactMap { $0?.path }
    let free = found.filter { !taken.contains($0.path) }
    if values.isEmpty {
      let few = free.filter { field in
        let isRepeated = field.different.count * 2 <= field.count || field.different.count <= 2
        return field.scalars == field.count && field.different.count <= Self.fewValues && isRepeated && !field.isLong
      }
      values = Self.first(few, Self.maxValues).map { field in
        Choice(field, "\(field.different.count) different values in \(records)")
      }
    }
    if numbers.isEmpty {
      let many = free.filter { field in
        field.numbers * 10 >= field.count * 9 && !field.isIdentifier && !values.contains { $0.path == field.path }
      }
      numbers = Self.first(many, Self.maxNumbers).map { field in
        Choice(field, "numbers in \(share(field.numbers))")
      }
    }
  }

  // MARK: The fields of the sample

  /// What the sample has at one path.
  fileprivate struct Field {
    let path: JSONPath
    /// The path as the shape writes it.
    let text: String
    let name: String
    var count = 0
    var strings = 0
    var numbers = 0
    var scalars = 0
    /// The values that are times, and those of them that are strings.
    var times = 0
    var textTimes = 0
    /// The texts of different scalars, as many as matter.
    var different: Set<[UInt8]> = []
    var isLong = false

    init(_ text: String, _ path: JSONPath, in sample: [JSON]) {
      (self.text, self.path) = (text, path)
      name = path.memberNames.last ?? ""
      for record in sample {
        let questions = PathEvaluations(of: record, count: 1, limits: JSONLimits())
        guard let value = try? questions.value(ofSingular: path) else { continue }
        count += 1
        if value.type == .string { strings += 1 }
        if value.type == .number { numbers += 1 }
        guard value.type != .array, value.type != .dictionary else { continue }
        scalars += 1
        unsafe value.borrowRawBytes { text in
          if unsafe Instant(json: text, nil, nil) != nil {
            times += 1
            if value.type == .string { textTimes += 1 }
          }
          if text.count > 80 { isLong = true }
          if different.count <= 64 { unsafe _ = different.insert(Array(text)) }
        }
      }
    }

    /// Whether the numbers look like names of things, whose order means nothing.
    var isIdentifier: Bool {
      let lower = name.lowercased()
      return ["id", "pid", "tid", "uid", "port", "seq", "line"].contains(lower) || lower.hasSuffix("_id")
        || name.hasSuffix("Id") || name.hasSuffix("ID")
    }
  }

  /// The paths of single values, in the order of their first ones.
  private static func paths(of sample: [JSON]) -> [(text: String, path: JSONPath)] {
    // An object with many members is one all the same.
    var options = JSONShape.Options()
    (options.maxKeys, options.maxAlikeKeys) = (10_000, 10_000)
    var shape = JSONShape(options: options)
    for record in sample { shape.add(record) }
    return shape.paths.lazy.filter { $0.count > $0.objectCount + $0.arrayCount }.prefix(maxPaths)
      .compactMap { found in (try? JSONPath(found.path)).map { (found.path, $0) } }
      .filter { $0.1.isSingular && !$0.1.memberNames.isEmpty }
  }

  /// The fields with one of these names, in the order of the names, those at the top first.
  private static func named(_ names: [String], _ fields: [Field]) -> [Field] {
    names.flatMap { name in
      fields.filter { $0.name.lowercased() == name }
        .sorted { $0.path.memberNames.count < $1.path.memberNames.count }
    }
  }

  /// The first of the fields with the most.
  private static func most(_ fields: [Field], by count: (Field) -> Int) -> Field? {
    fields.reduce(nil) { best, field in
      guard let best else { return field }
      return count(field) > count(best) ? field : best
    }
  }

  /// The fields that most records have, at most `count`, in their order.
  private static func first(_ fields: [Field], _ count: Int) -> [Field] {
    let ranked = fields.enumerated().sorted { (left, right) in
      left.element.count != right.element.count ? left.element.count > right.element.count : left.offset < right.offset
    }
    let kept = Set(ranked.prefix(count).map(\.offset))
    return fields.enumerated().filter { kept.contains($0.offset) }.map(\.element)
  }
}
