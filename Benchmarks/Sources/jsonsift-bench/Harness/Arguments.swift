import Foundation

/// What to measure, and how big.
struct Arguments {
  enum Section: String, CaseIterable {
    case documents, ndjson, records, filter, fresh, stream, paths, lookup, strings, access, values, codable
    case models
  }

  struct Invalid: Error, CustomStringConvertible {
    let description: String
  }

  var sections = Section.allCases
  /// Documents to use instead of the corpora.
  var files: [String] = []
  var effort = Effort.full
  var logBytes = 200_000_000
  var freshBytes = 100_000_000
  var accessBytes = 2_000_000
  var streamBytes = 1_000_000_000
  var filterBytes = 1_000_000_000
  /// Of a log that is stored nowhere; `nil` for none.
  var hugeBytes: Int?
  var elements = 100_000
  var models = 1_000_000
  var plainString = 64 << 20
  var escapedString = 16 << 20
  var skipsStream = false
  var jsonPath: String?
  var wantsHelp = false
  var isQuick = false

  init(_ words: [String]) throws {
    var named: [Section] = []
    var rest = words[...]
    // First, so that a size that is given by name wins over that of the quick run.
    if words.contains("--quick") { beQuick() }
    while let word = rest.popFirst() {
      switch word {
      case "--quick": break
      case "--skip-1gb": skipsStream = true
      case "--gb":
        streamBytes = try Int(number(after: word, &rest) * 1e9)
        filterBytes = streamBytes
      case "--huge": hugeBytes = try Int(number(after: word, &rest) * 1e9)
      case "--log-mb": logBytes = try Int(number(after: word, &rest) * 1e6)
      case "--rounds": effort.rounds = try max(Int(number(after: word, &rest)), 1)
      case "--json":
        guard let path = rest.popFirst() else { throw Invalid(description: "--json needs the name of a file") }
        jsonPath = path
      case "-h", "--help": wantsHelp = true
      default:
        if let section = Section(rawValue: word) {
          named.append(section)
        } else if word.hasPrefix("-") {
          throw Invalid(description: "there is no option \(word)")
        } else if FileManager.default.fileExists(atPath: word) {
          files.append(word)
        } else {
          throw Invalid(description: "\(word) is neither a section nor a file")
        }
      }
    }
    // Whoever names files asks about these files.
    if !named.isEmpty { sections = named } else if !files.isEmpty { sections = [.documents] }
  }

  private mutating func beQuick() {
    isQuick = true
    effort = .quick
    logBytes = 4_000_000
    freshBytes = 8_000_000
    accessBytes = 400_000
    streamBytes = 20_000_000
    filterBytes = 100_000_000
    elements = 20_000
    models = 20_000
    plainString = 4 << 20
    escapedString = 1 << 20
  }

  private func number(after word: String, _ rest: inout ArraySlice<String>) throws -> Double {
    guard let text = rest.popFirst(), let value = Double(text), value > 0 else {
      throw Invalid(description: "\(word) needs a number above 0")
    }
    return value
  }

  static let help = """
    usage: Benchmarks/run [SECTION...] [FILE...] [options]

    Sections (all, if none is named):
      documents   whole documents: the corpora, or each FILE
      ndjson      two generated logs
      records     two members of each record, with 1, 2 and 4 workers
      filter      one in a hundred records of a log of 1 GB, with 1 and 2 workers
      fresh       one big document, parsed with new memory; its matches, streamed
      stream      a file of 1 GB, as log and as document: speed, and peak memory of a process of its own
      paths       paths over a document of 1 GB: one, five, a filter, one at the head
      lookup      every index of an array and every key of an object
      strings     very long strings in small reads
      codable     types of your own from documents and a log, and back, beside JSONDecoder and JSONEncoder
      kernels     the byte kernels, each version, beside memchr and memmem; not in --json
      access      subscripts, iteration, ==, rawData and a change beside JSONSerialization, at 2 and 100 MB
      values      well-known documents, and three values of each
      models      a million objects of a class, by SGYJSONDeserializer and by JSONDecoder

    Options:
      --quick      small sizes, few rounds: shows that it works, measures nothing
      --rounds N   rounds for each pair of sides (default 15)
      --log-mb N   size of the logs (default 200)
      --gb N       size of the streamed files (default 1)
      --huge N     in stream, a log of N GB that is stored nowhere, through jsift with two workers
      --skip-1gb   leaves the streamed files out
      --json FILE  writes all figures to FILE

    Exit status: 0 all answers were right, 1 an answer was wrong, 2 it could not run.
    """
}
