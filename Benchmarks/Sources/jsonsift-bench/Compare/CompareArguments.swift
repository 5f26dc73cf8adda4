import Foundation

/// What `run compare` was asked for.
struct CompareArguments {
  var bytes = 1_000_000_000
  var mediumBytes = 100_000_000
  var smallBytes = 20_000_000
  var rounds = 3
  /// Of the start-up, which takes milliseconds.
  var startRounds = 20
  var isQuick = false
  /// Only these questions; all, if none is named.
  var questions: [String] = []
  /// The user's own file, and a path to ask of it.
  var file: String?
  var path = "$"
  /// One JSON text on each line of `file`. By default its name tells.
  var isLines: Bool?
  var jsonPath: String?
  var chartFolder: String?
  /// Figures of an earlier run, of which charts are to be drawn.
  var drawPath: String?
  var wantsHelp = false
  /// The words that say what is measured, and not where the figures go.
  private(set) var measuring: [String] = []

  init(_ words: [String]) throws {
    if words.contains("--quick") {
      isQuick = true
      bytes = 50_000_000
      mediumBytes = 20_000_000
      smallBytes = 5_000_000
      rounds = 2
      startRounds = 5
    }
    var rest = words[...]
    func value(_ word: String) throws -> String {
      guard let value = rest.popFirst() else { throw Arguments.Invalid(description: "\(word) needs a value") }
      return value
    }
    func number(_ word: String) throws -> Double {
      guard let number = Double(try value(word)), number > 0 else {
        throw Arguments.Invalid(description: "\(word) needs a number above 0")
      }
      return number
    }
    while let word = rest.popFirst() {
      let here = words.count - rest.count - 1
      defer { if !["--json", "--svg"].contains(word) { measuring += words[here..<(words.count - rest.count)] } }
      switch word {
      case "--quick": break
      case "--gb":
        bytes = try Int(min(number(word), 100) * 1e9)
        mediumBytes = min(mediumBytes, bytes)
        smallBytes = min(smallBytes, bytes)
      case "--rounds": rounds = try max(Int(min(number(word), 1000)), 1)
      case "--json": jsonPath = try value(word)
      case "--svg": chartFolder = try value(word)
      case "--draw": drawPath = try value(word)
      case "--file": file = try value(word)
      case "--path": path = try value(word)
      case "--lines": isLines = true
      case "--document": isLines = false
      case "-h", "--help": wantsHelp = true
      default:
        guard CompareQuestions.names.contains(word) else {
          throw Arguments.Invalid(description: "there is no question or option \(word)")
        }
        questions.append(word)
      }
    }
    if let file, !FileManager.default.isReadableFile(atPath: file) {
      throw Arguments.Invalid(description: "cannot read \(file)")
    }
  }

  static let help = """
    usage: Benchmarks/run compare [QUESTION...] [options]
           Benchmarks/run compare --file FILE [--path PATH] [options]

    The same questions to JSONSift and to all others that are here. Each is a process of its own.

    Questions (all, if none is named):
      validate    a document of 100 MB: is it JSON, and how many records has it?
      check       a document of 1 GB: is it JSON?
      count       a log of 1 GB: is every record JSON, and how many are there?
      lazy        the document of 100 MB: a value of every 1000th record
      value       the same document: one value of the last record
      path        a document of 1 GB: one value of each record
      descend     a document of 1 GB: every member of a name, wherever it stands
      log         a log of 1 GB: one value of each record
      filter      a log of 1 GB: the records with an error, one in a hundred
      stats       the log of 1 GB: count, sum, least and largest of a number, by level
      codable     a log of 100 MB into types
      access      a document of 20 MB: every value, as SwiftyJSON's users write it
      start       a document of 1 KB: what it costs to begin

    Options:
      --gb N        size of the large files (default 1)
      --rounds N    rounds (default 3)
      --quick       small files, two rounds: shows that it works, measures little
      --json FILE   write all figures to FILE
      --svg FOLDER  draw charts into FOLDER
      --draw FILE   draw the charts of an earlier --json; measure nothing

    Your own file:
      --file FILE   ask this file: is it JSON, and what does the path select?
      --path PATH   names, indexes and wildcards, as in $.items[*].id (default $)
      --lines       it has one JSON text on each line (default for .ndjson, .jsonl and .log)
      --document    it is one JSON text

    Exit status: 0 all of our answers were right, 1 one was wrong, 2 it could not run.
    """
}
