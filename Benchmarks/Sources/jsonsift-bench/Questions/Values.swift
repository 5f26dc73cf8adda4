import BenchRecords
import BenchValues
import CRawYajl
import JSONSift

/// What does a program pay that parses one of the well-known documents and reads three values of it?
struct Values {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  /// Three places in each document: near its start, in its middle, and at its end.
  private static var places: [String: [[JSONSubscriptType]]] {
    [
      "twitter": [
        ["statuses", 3, "user", "id"], ["statuses", 97, "text"], ["search_metadata", "count"],
      ],
      "citm_catalog": [
        ["events", "138586341", "id"], ["performances", 100, "id"],
        ["performances", 240, "seatCategories", 0, "areas", 0, "areaId"],
      ],
      "canada": [
        ["features", 0, "geometry", "coordinates", 2, 3, 0], ["features", 0, "geometry", "coordinates", 479, 0, 1],
        ["features", 0, "properties", "name"],
      ],
      "gsoc-2018": [["7", "sponsor", "name"], ["600", "name"], ["1263", "author", "name"]],
    ]
  }

  func run() throws {
    report.begin("values", "a document and three of its values, against libyajl with callbacks that do nothing")
    var ratios: [String: [Double]] = [:]
    for document in try Corpus.load(arguments.files, report: report) {
      let bytes = document.bytes
      guard let places = try Self.places[document.name] ?? (arguments.files.isEmpty ? nil : Self.places(in: document))
      else { continue }
      try check(document, places)
      let sides = [
        Side("parse, three values") { blackHole(Self.read(try JSON(parsing: bytes), places)) },
        Side("parse, every value") {
          var walk = Walk()
          walk.add(try JSON(parsing: bytes))
          blackHole(walk.values)
        },
      ]
      let rows = try compare(
        sides, to: Documents.baselineSides { Int(raw_yajl_whole(bytes, bytes.count, $0)) },
        rounds: arguments.effort.rounds, effort: arguments.effort)
      report.table(document.name, bytes: bytes.count, baselines: Documents.baselines, rows)
      for row in rows { if let ratio = row.ratios.first { ratios[row.name, default: []].append(ratio.median) } }
    }
    for (name, values) in ratios.sorted(by: { $0.key < $1.key }) {
      report.add("geometric mean", name, "x yajl", geometricMean(values))
      print(column("  geometric mean, \(name)", 44) + fixed(geometricMean(values), 2) + " x yajl")
    }
    if let values = ratios["parse, three values"] {
      report.wanted("three values x yajl, geometric mean", geometricMean(values), atLeast: 3)
    }
  }

  /// Three places in any document: the first, the middle and the last child of each container.
  private static func places(in document: Corpus) throws -> [[JSONSubscriptType]] {
    let json = try JSON(parsing: document.bytes)
    return [0, 1, 2].map { third in
      var place: [JSONSubscriptType] = []
      var value = json
      while !value.isEmpty {
        let number = (value.count - 1) * third / 2
        place.append(value.type == .array ? number : Array(value)[number].0)
        value = value[place[place.count - 1]]
      }
      return place
    }
  }

  /// Adds up what the values are, whatever they are.
  private static func read(_ json: JSON, _ places: [[JSONSubscriptType]]) -> Int {
    places.reduce(0) { sum, place in
      let value = json[place]
      return sum &+ (value.int ?? value.string?.utf8.count ?? Int(value.doubleValue * 1000))
    }
  }

  /// Walks all that is on the way to each value, and compares what is found there.
  private func check(_ document: Corpus, _ places: [[JSONSubscriptType]]) throws {
    let walked = try JSON(parsing: document.bytes)
    let whole = try JSON(parsing: walked.bytes(.pretty))
    for place in places {
      let value = try JSON(parsing: document.bytes)[place]
      guard value.exists(), value == whole[place] else {
        throw WrongAnswer(description: "\(document.name), \(place): \(value)")
      }
    }
  }
}
