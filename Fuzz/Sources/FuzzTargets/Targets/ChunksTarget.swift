import JSONSift
import JSONSiftAnalysis

extension FuzzTarget {
  /// Compares the readers of one document for a text that is cut into chunks with their results for the whole text.
  static let chunks = FuzzTarget(name: "chunks") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    var options = input.options()
    // The positions of errors about this limit depend on how many bytes are buffered.
    options.limits.recordBytes = JSONLimits().recordBytes
    let use = input.choice()
    let lengths = input.choices(6).map { $0 % 40 }
    let text = input.text
    let cut = split(text, cutBy: lengths)
    let whole = PushReading([text], options)
    try expectEqual("the events", PushReading(cut, options), whole)
    try expectEqual("the events of single bytes", PushReading(split(text, of: 1), options), whole)
    let maxEvents = use % 8 + 1
    try expectEqual(
      "the events before a stop", PushReading(cut, options, maxEvents: maxEvents).events,
      PushReading([text], options, maxEvents: maxEvents).events)
    let paths: [JSONPath] = ["$.a[*]", "$..b", "$[1:3]", "$[?@.a > 1]"]
    try compareBuilders([.whole, .keeping([paths[use % 4], paths[use / 4 % 4]])], cut, text, options)
    try compareReformatted(cut, text, options, use)
    try compareShapes(cut, text, options)
    let single = readElements(.chunks(cut), JSONRecordOptions(framing: .document, reading: options))
    try expectEqual(
      "the record", single, readElements(.bytes(text), JSONRecordOptions(framing: .document, reading: options)))
  }
}

private func compareBuilders(
  _ contents: [JSONBuilder.Content], _ cut: [[UInt8]], _ text: [UInt8], _ options: JSONOptions
) throws(Difference) {
  for content in contents {
    let built = [cut, [text]].map { chunks in
      result { () throws(JSONError) in
        var builder = try JSONBuilder(content, options: options)
        for chunk in chunks { try builder.feed(chunk) }
        return Tree(try builder.finish())
      }
    }
    try expectEqual("the built value of \(content)", built[0], built[1])
    if case .whole = content {
      let parsed = result { () throws(JSONError) in Tree(try JSON(parsing: text, options: options)) }
      try expectEqual("the built value", built[0], parsed)
    }
  }
}

private func compareReformatted(
  _ cut: [[UInt8]], _ text: [UInt8], _ options: JSONOptions, _ choice: Int
) throws(Difference) {
  var layout = choice & 1 == 0 ? JSONWriterOptions.compact : .pretty
  layout.layout = [.foundation, .spaces(2), .tabs, .spaces(0)][choice >> 1 & 3]
  layout.slashes = [.asWritten, .escaped, .plain, .asWritten][choice >> 3 & 3]
  layout.spelling = choice & 32 == 0 ? .source : .normalized
  let records = JSONRecordOptions(framing: .document, reading: options)
  func reformat(_ source: JSONSource) -> (output: [UInt8], error: JSONError?) {
    var output: [UInt8] = []
    do throws(JSONError) {
      var reformatter = try JSONReformatter(source, as: layout, records: records)
      while try reformatter.next(into: &output) {}
      return (output, nil)
    } catch {
      return (output, error)
    }
  }
  let (whole, chunked) = (reformat(.bytes(text)), reformat(.chunks(cut)))
  try expectEqual("the error of the reformatter", chunked.error, whole.error)
  // The output before an error ends where a chunk ends.
  if whole.error != nil { return }
  try expectEqual("the reformatted text", words(chunked.output), words(whole.output))
  let json = result { () throws(JSONError) in try JSON(parsing: text, options: options).bytes(layout) }
  if case .success(let written) = json {
    try expectEqual("the reformatted and the written text", words(whole.output), words(written) + "\n")
  }
}

private func compareShapes(_ cut: [[UInt8]], _ text: [UInt8], _ options: JSONOptions) throws(Difference) {
  let records = JSONRecordOptions(framing: .document, reading: options)
  func shape(_ source: JSONSource) -> (paths: [JSONShape.Path], error: JSONError?) {
    do throws(JSONError) {
      var reader = try JSONShape.Reader(source, records: records)
      do throws(JSONError) {
        while try reader.next() {}
        return (reader.takeShape().paths, nil)
      } catch {
        return (reader.takeShape().paths, error)
      }
    } catch {
      return ([], error)
    }
  }
  let (whole, chunked) = (shape(.bytes(text)), shape(.chunks(cut)))
  try expectEqual("the error of the shape", chunked.error, whole.error)
  try expectEqual("the shape", chunked.paths, whole.paths)
  guard whole.error == nil, let json = try? JSON(parsing: text, options: options) else { return }
  var built = JSONShape()
  built.add(json)
  try expectEqual("the shape of the stream and of the value", whole.paths, built.paths)
}
