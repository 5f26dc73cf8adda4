import BenchObjects
import BenchRecords
import BenchValues
import Foundation
import SwiftyJSON

/// What does a program pay that works with a document as SwiftyJSON's users do? Beside it the same work on what
/// `JSONSerialization` makes, with casts.
struct Access {
  private let arguments: Arguments
  private let report: Report

  init(_ arguments: Arguments, _ report: Report) {
    self.arguments = arguments
    self.report = report
  }

  func run() throws {
    report.begin("access", "subscripts, iteration, ==, rawData and one change, as SwiftyJSON's users write them")
    for document in try Corpus.load(arguments.files, report: report) where isShown(document.name) {
      try iterate(document.name, document.bytes)
    }
    for size in [arguments.accessBytes, arguments.freshBytes] {
      let (bytes, count) = Self.items(size)
      try work("items", bytes, count)
      try everyIndex(bytes, count)
    }
  }

  private func isShown(_ name: String) -> Bool {
    !arguments.files.isEmpty || name == "twitter" || name == "generated"
  }

  // MARK: Every value

  private func iterate(_ name: String, _ bytes: [UInt8]) throws {
    let data = Data(bytes)
    let json = try JSON(data: data)
    let object = try JSONSerialization.jsonObject(with: data)
    try check(Self.walk(json), is: Self.walk(object), "\(name), a walk over every value")
    let parsed = try measure(
      "every value, already parsed", { blackHole(Self.walk(json).sum) }, { blackHole(Self.walk(object).sum) })
    let whole = try measure(
      "parse, then every value", { blackHole(Self.walk(try JSON(data: data)).sum) },
      { blackHole(Self.walk(try JSONSerialization.jsonObject(with: data)).sum) })
    table("\(name), \(megabytes(bytes.count))", [parsed, whole])
    guard name == "twitter" else { return }
    report.wanted("iterate twitter, already parsed, x JSONSerialization", parsed.ratio.median, atLeast: 5)
    report.wanted("parse and iterate twitter, x JSONSerialization", whole.ratio.median, atLeast: 4)
  }

  private static func walk(_ json: JSON) -> Walk {
    var walk = Walk()
    walk.add(json)
    return walk
  }

  private static func walk(_ object: Any) -> Walk {
    var walk = Walk()
    walk.add(object)
    return walk
  }

  // MARK: The usual work

  private func work(_ name: String, _ bytes: [UInt8], _ count: Int) throws {
    let data = Data(bytes)
    let json = try JSON(data: data)
    let object = try JSONSerialization.jsonObject(with: data)
    let (again, objectAgain) = (try JSON(data: data + Data(" ".utf8)), try JSONSerialization.jsonObject(with: data))
    let spelledAnew = try JSON(data: json.rawData(options: .prettyPrinted))
    let asked = (0..<1000).map { $0 * (count - 1) / 999 }
    let (place, user) = (asked[500], "somebody else")

    func ids() -> Int { asked.reduce(0) { $0 &+ json["items"][$1]["id"].intValue } }
    func objectIDs() -> Int {
      asked.reduce(0) { sum, index in
        let items = (object as? [String: Any])?["items"] as? [Any]
        return sum &+ (((items?[index] as? [String: Any])?["id"] as? NSNumber)?.intValue ?? 0)
      }
    }
    func changed() -> JSON {
      var copy = json
      copy["items"][place]["entry"]["user"]["name"].string = user
      return copy
    }
    func changedObject() -> [String: Any]? {
      guard var root = object as? [String: Any], var items = root["items"] as? [Any],
        var item = items[place] as? [String: Any], var entry = item["entry"] as? [String: Any],
        var owner = entry["user"] as? [String: Any]
      else { return nil }
      owner["name"] = user
      entry["user"] = owner
      item["entry"] = entry
      items[place] = item
      root["items"] = items
      return root
    }
    // Answers first. Foundation orders members as it likes, so what is written is compared once it is read again.
    try check(ids(), is: asked.reduce(0, +), "ids")
    try check(objectIDs(), is: asked.reduce(0, +), "ids of JSONSerialization")
    try check(changed()["items"][place]["entry"]["user"]["name"].string, is: user, "the change")
    try check(changed()["items"][place + 1], is: json["items"][place + 1], "what was not changed")
    try check(changed() == json, is: false, "the change, compared")
    let item = ((changedObject()?["items"] as? [Any])?[place] as? [String: Any])?["entry"] as? [String: Any]
    try check((item?["user"] as? [String: Any])?["name"] as? String, is: user, "the change of JSONSerialization")
    try check(json == again && json == spelledAnew, is: true, "==")
    let written = try json.rawData()
    try check(JSON(data: written), is: json, "rawData, read again")
    try check(JSON(data: JSONSerialization.data(withJSONObject: object)), is: json, "data of JSONSerialization")
    try check(Self.walk(json), is: Self.walk(object), "every value")

    let isBig = bytes.count > 20_000_000
    var rows = [
      try measure(
        "parse", isBig: isBig, { blackHole(try JSON(data: data).count) },
        { blackHole((try JSONSerialization.jsonObject(with: data) as? [String: Any])?.count ?? 0) }),
      try measure("1000 x [items][i][id]", isBig: isBig, { blackHole(ids()) }, { blackHole(objectIDs()) }),
      try measure(
        "every value", isBig: isBig, { blackHole(Self.walk(json).sum) }, { blackHole(Self.walk(object).sum) }),
      try measure(
        "==, the same bytes", isBig: isBig, { blackHole(json == again ? 1 : 0) },
        { blackHole((object as? NSDictionary) == (objectAgain as? NSDictionary) ? 1 : 0) }),
      try measure(
        "rawData", isBig: isBig, { blackHole(try json.rawData().count) },
        { blackHole(try JSONSerialization.data(withJSONObject: object).count) }),
      try measure(
        "one change, five deep", isBig: isBig, { blackHole(changed().count) },
        { blackHole(changedObject()?.count ?? 0) }),
    ]
    if !isBig {
      rows.append(
        try measure(
          "==, other white space", { blackHole(json == spelledAnew ? 1 : 0) },
          { blackHole((object as? NSDictionary) == (objectAgain as? NSDictionary) ? 1 : 0) }))
    }
    table("\(name), \(megabytes(bytes.count)), \(count) items", rows)
  }

  /// Every element once, so that the table that the first index makes is paid by all.
  private func everyIndex(_ bytes: [UInt8], _ count: Int) throws {
    var each: [Double] = []
    for _ in 0..<arguments.effort.rounds {
      let json = try JSON(parsing: bytes)
      let items = json["items"]
      var found = 0
      let time = seconds { for index in 0..<count where items[index].type == .dictionary { found += 1 } }
      try check(found, is: count, "every index")
      each.append(time / Double(count) * 1e9)
    }
    let spread = Spread(each)
    print("   every index of \(megabytes(bytes.count)): \(fixed(spread.median, 1)) ns each")
    report.add(megabytes(bytes.count), "every index", "ns each", spread)
    report.wanted("a subscript, ns", spread.median, atMost: 200)
  }

  /// `{"items":[{"id":0,"entry":{…}},…]}`
  private static func items(_ size: Int) -> (bytes: [UInt8], count: Int) {
    var records = LogRecords(.long)
    var bytes = Array("{\"items\":[".utf8)
    bytes.reserveCapacity(size + 4096)
    var count = 0
    while bytes.count < size {
      bytes += (count == 0 ? "" : ",\n").utf8
      bytes += "{\"id\":\(count),\"entry\":".utf8
      records.append(to: &bytes)
      bytes += "}".utf8
      count += 1
    }
    bytes += "]}".utf8
    return (bytes, count)
  }

  // MARK: Measuring

  private struct Row {
    let name: String
    let ours: Spread
    let theirs: Spread
    let ratio: Spread
  }

  private func measure(
    _ name: String, isBig: Bool = false, _ ours: @escaping () throws -> Void, _ theirs: @escaping () throws -> Void
  ) throws -> Row {
    // A big document takes Foundation seconds to minutes for some of this: one round.
    let rounds = isBig ? 1 : arguments.effort.rounds
    let rows = try compare(
      [Side(name, ours)], to: [Side("JSONSerialization", theirs)], rounds: rounds, effort: arguments.effort)
    return Row(name: name, ours: rows[1].seconds, theirs: rows[0].seconds, ratio: rows[1].ratios[0])
  }

  private func table(_ subject: String, _ rows: [Row]) {
    print("\n\(subject)")
    print(column("", 30) + right("ms", 12) + right("Foundation", 12) + "   x JSONSerialization")
    for row in rows {
      print(
        column("  " + row.name, 30) + right(fixed(row.ours.median * 1e3, 4), 12)
          + right(fixed(row.theirs.median * 1e3, 3), 12) + "   " + text(row.ratio))
      report.add(subject, row.name, "seconds", row.ours)
      report.add(subject, row.name + ", JSONSerialization", "seconds", row.theirs)
      report.add(subject, row.name, "x JSONSerialization", row.ratio)
    }
  }
}
