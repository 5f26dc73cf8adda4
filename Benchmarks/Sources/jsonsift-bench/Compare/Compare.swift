import Foundation

/// `run compare`: the same questions to us and to others.
struct Compare {
  private let arguments: CompareArguments
  private let here: Installed
  private let questions: CompareQuestions

  static func run(_ words: [String]) throws {
    let arguments = try CompareArguments(words)
    if arguments.wantsHelp { return print(CompareArguments.help) }
    if let path = arguments.drawPath {
      let figures = try JSONDecoder().decode(Comparisons.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
      return try ComparisonCharts.draw(figures, into: arguments.chartFolder ?? ".")
    }
    let compare = Compare(arguments, try Installed())
    try compare.run()
  }

  private init(_ arguments: CompareArguments, _ here: Installed) {
    self.arguments = arguments
    self.here = here
    questions = CompareQuestions(arguments, here)
  }

  private func run() throws {
    let facts = Machine.facts
    for fact in facts { print(column(fact.name, 12) + fact.value) }
    print("")
    for (name, version) in here.versions.sorted(by: { $0.key < $1.key }) { print(column(name, 12) + version) }
    for missing in here.missing { print("   \(missing); left out") }
    if Machine.isDebugBuild { print("This is a debug build: its figures mean nothing.") }
    if arguments.isQuick { print("This is a quick run: it checks answers; its figures mean little.") }
    print(CompareTable.legend)

    let command = (["Benchmarks/run compare"] + arguments.measuring.map(Self.quoted)).joined(separator: " ")
    var figures = Comparisons(
      command: command, machine: Dictionary(uniqueKeysWithValues: facts.map { ($0.name, $0.value) }),
      versions: here.versions, missing: here.missing)
    let asked =
      try arguments.file.map { try OwnFile(arguments, here, $0).make() } ?? questions.make()
    for question in asked {
      let measured = try measure(question)
      CompareTable.show(measured)
      figures.questions.append(measured)
      questions.files.drop(above: arguments.mediumBytes)
    }
    figures.findLosses()
    CompareTable.show(figures.losses, in: figures.questions)
    if let path = arguments.jsonPath {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try encoder.encode(figures).write(to: URL(fileURLWithPath: path))
    }
    if let folder = arguments.chartFolder { try ComparisonCharts.draw(figures, into: folder) }
    print("\nAll of our answers were right.")
  }

  /// Where the user keeps files is nobody's business.
  private static func shown(_ word: String) -> String {
    word.contains("/") ? URL(fileURLWithPath: word).lastPathComponent : word
  }

  /// As a shell wants it.
  private static func quoted(_ word: String) -> String {
    let word = shown(word)
    let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_./=".contains($0) }
    return isPlain ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }

  // MARK: One question

  private struct Side {
    let contender: Contender
    let input: CompareInput
    var runs: [Meter] = []
    var startSeconds: Double?
    var accepts: [String] = []
  }

  private func measure(_ question: CompareQuestion) throws -> Comparisons.Question {
    var sides: [Side] = []
    var leftOut: [String] = []
    let trial = try question.trial()
    let inputs = try question.inputs()
    var reference = question.answer(trial)
    for contender in question.contenders {
      let run = try ask(contender, trial)
      let expected = contender.answer?(trial) ?? reference
      if let wrong = problem(run, expected, contender) {
        if contender.kind == .ours { throw rejected(question, contender, run, wrong) }
        leftOut.append("\(contender.name): \(wrong)")
        continue
      }
      if reference == nil, contender.answer == nil { reference = run.answer }
      guard let input = inputs.first(where: { $0.bytes <= contender.limit }) ?? inputs.last else { continue }
      sides.append(Side(contender: contender, input: input))
    }
    if !question.isStart, arguments.file == nil {
      let one =
        try ["log", "filter", "stats", "shape", "codable"].contains(question.name)
        ? questions.files.log(1) : questions.files.document(1)
      for index in sides.indices {
        // The start needs no right answer: a log of one line may have no error in it.
        let starts = try (0..<3).map { _ in try ask(sides[index].contender, one).seconds }
        sides[index].startSeconds = starts.min()
      }
    }
    try findFlaws(question, &sides)
    let rounds = question.isStart ? arguments.startRounds : arguments.rounds
    var references: [String: Meter.Answer] = [:]
    for round in 0..<rounds {
      for turn in sides.indices {
        let index = (turn + round) % sides.count
        let side = sides[index]
        let run = try ask(side.contender, side.input)
        let expected =
          side.contender.answer?(side.input) ?? question.answer(side.input) ?? references[side.input.path] ?? run.answer
        if let wrong = problem(run, expected, side.contender) {
          if side.contender.kind == .ours { throw rejected(question, side.contender, run, wrong) }
          if !leftOut.contains(where: { $0.hasPrefix(side.contender.name + ":") }) {
            leftOut.append("\(side.contender.name): \(wrong)")
          }
          continue
        }
        if side.contender.answer == nil { references[side.input.path] = run.answer }
        sides[index].runs.append(run)
      }
    }
    return rows(question, sides, rounds, leftOut)
  }

  /// Gives each text that is no JSON to everybody, and remembers who took it.
  private func findFlaws(_ question: CompareQuestion, _ sides: inout [Side]) throws {
    let right = try question.flawed(Flaws.none)
    let able = try sides.map { try ask($0.contender, right).status == 0 }
    for (name, value) in Flaws.all {
      let input = try question.flawed(value)
      for index in sides.indices {
        // Of one that cannot answer for so little text nothing is known.
        guard able[index] else { continue }
        if try ask(sides[index].contender, input).status == 0 { sides[index].accepts.append(name) }
      }
    }
    for index in sides.indices where !able[index] { sides[index].accepts = ["not known"] }
  }

  private func ask(_ contender: Contender, _ input: CompareInput) throws -> Meter {
    try Meter.run(contender.words(input), file: input.path, meter: here.meter)
  }

  private func problem(_ run: Meter, _ expected: Meter.Answer?, _ contender: Contender) -> String? {
    if run.status != 0 { return "ended with status \(run.status)" }
    guard let expected, run.answer != expected else { return nil }
    if contender.spellsAnew, run.answer.lines == expected.lines { return nil }
    return "answered \(run.answer) where \(expected) is right"
  }

  private func rejected(
    _ question: CompareQuestion, _ contender: Contender, _ run: Meter, _ wrong: String
  ) -> any Error {
    if run.status != 0, let file = arguments.file {
      return Worker.Failed(description: "jsift does not take \(file); `jsift check` says why")
    }
    return WrongAnswer(description: "\(question.name), \(contender.name): \(wrong)")
  }

  private func rows(
    _ question: CompareQuestion, _ sides: [Side], _ rounds: Int, _ leftOut: [String]
  ) -> Comparisons.Question {
    // One that failed in a round has no figures.
    let sides = sides.filter { $0.runs.count == rounds }
    let largest = sides.map(\.input.bytes).max() ?? 0
    // Who is not here is no baseline.
    let baseline = sides.first { $0.contender.name == question.baseline } ?? sides.first
    var result = Comparisons.Question(
      name: question.name, title: question.title, bytes: largest, rounds: rounds, isStream: question.isStream,
      isStart: question.isStart, baseline: baseline?.contender.name ?? "", leftOut: leftOut)
    for side in sides {
      let speeds = side.runs.map { Double(side.input.bytes) / $0.seconds / 1e6 }
      let others = (baseline ?? side).runs.map { Double((baseline ?? side).input.bytes) / $0.seconds / 1e6 }
      result.rows.append(
        Comparisons.Row(
          name: side.contender.name, kind: side.contender.kind, command: shown(side.contender.words(side.input)),
          bytes: side.input.bytes, seconds: Spread(side.runs.map(\.seconds)), megabytesPerSecond: Spread(speeds),
          ratio: Spread(zip(speeds, others).map { $0 / $1 }),
          firstResultSeconds: question.isStream ? Spread(side.runs.map(\.firstSeconds)) : nil,
          cpuSeconds: Spread(side.runs.map(\.cpuSeconds)).median,
          peakMegabytes: Double(side.runs.map(\.peakBytes).max() ?? 0) / 1e6, startSeconds: side.startSeconds,
          accepts: side.accepts, remark: side.contender.remark))
    }
    return result
  }

  /// Names without the folders of this machine.
  private func shown(_ words: [String]) -> [String] { words.map(Self.shown) }
}
