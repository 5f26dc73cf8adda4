import CBenchSystem
import Foundation

@main
enum Bench {
  static func main() {
    // Each line at once, also into a pipe: a full run takes minutes.
    bench_flush_each_line()
    do {
      let words = Array(CommandLine.arguments.dropFirst())
      if words.first == "compare" { try Compare.run(Array(words.dropFirst())) } else { try run(Arguments(words)) }
    } catch let error as WrongAnswer {
      fail("wrong answer: \(error)", status: 1)
    } catch let error as Arguments.Invalid {
      fail("\(error); --help shows what there is", status: 2)
    } catch {
      fail("\(error)", status: 2)
    }
  }

  private static func run(_ arguments: Arguments) throws {
    if arguments.wantsHelp { return print(Arguments.help) }
    let facts = Machine.facts
    for fact in facts { print(column(fact.name, 12) + fact.value) }
    if Machine.isDebugBuild { print("This is a debug build: its figures mean nothing.") }
    if arguments.isQuick { print("This is a quick run: it checks answers; its figures mean little.") }
    print("Ratios are speeds: 0.90 is nine tenths as fast. In brackets the lowest and the highest of the rounds.")

    let report = Report()
    for section in arguments.sections {
      switch section {
      case .documents: try Documents(arguments, report).run()
      case .ndjson: try NDJSON(arguments, report).run()
      case .records: try ParallelRecords(arguments, report).run()
      case .filter: if !arguments.skipsStream { try Filter(arguments, report).run() }
      case .fresh: try FreshDocument(arguments, report).run()
      case .stream:
        if !arguments.skipsStream { try StreamedFile(arguments, report).run() }
        if let bytes = arguments.hugeBytes { try EndlessLog(bytes: bytes, report).run() }
      case .paths: if !arguments.skipsStream { try Paths(arguments, report).run() }
      case .lookup: try IndexAndLookup(arguments, report).run()
      case .strings: try LongStrings(arguments, report).run()
      case .access: try Access(arguments, report).run()
      case .values: try Values(arguments, report).run()
      case .codable: try CodableTypes(arguments, report).run()
      case .models: try Models(arguments, report).run()
      }
    }
    if let path = arguments.jsonPath {
      try report.write(to: path, machine: Dictionary(uniqueKeysWithValues: facts.map { ($0.name, $0.value) }))
    }
    print("\nAll answers were right.")
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("jsonsift-bench: \(message)\n".utf8))
    exit(status)
  }
}
