import ArgumentParser
import JSONSift

struct Get: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write each value that a path selects, one per line. The default command.",
    discussion: """
      jsift '$.statuses[*].user.screen_name' twitter.json
      jsift -r '$.message' --limit 10 app.log
      kubectl logs pod | jsift '$.level'

      Line breaks inside a value are removed; all else stays byte for byte. A path knows names, indexes and '*'. In a
      document, a path without '*' stops the reading when it is answered. Of several members with one name the first
      counts.
      """)

  @Argument(help: ArgumentHelp("A path of RFC 9535, such as '$.items[*].id'.", valueName: "path"))
  var path: String

  @Argument(help: ArgumentHelp("Files to read; none or '-' is standard input.", valueName: "file"))
  var files: [String] = []

  @OptionGroup var options: CommonOptions

  func run() throws {
    let path = try compiledPath()
    var run = Run(options)
    for file in InputFile.list(files) where !run.isDone {
      run.open(file) { () throws(JSONError) in
        try MatchStream(
          JSONMatches(
            of: path, in: file.source, framing: options.input.framing, options: options.readingOptions))
      }
    }
    throw run.finish()
  }

  private func compiledPath() throws -> JSONPath {
    let bytes = RawArguments.launch.bytes(of: path)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      ErrorReport.write("jsift: path '\(SourceExcerpt.printable(bytes))': expected UTF-8")
      throw ExitCode(Status.failed)
    }
    do throws(JSONError) {
      return try JSONPath(text)
    } catch {
      ErrorReport.write("jsift: \(JSONPathDiagnosis(text)?.description ?? error.description)")
      throw ExitCode(Status.failed)
    }
  }
}

struct Records: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write each record, one per line.",
    discussion: """
      jsift records --limit 3 events.ndjson
      jsift records --count *.ndjson
      jsift records --input values stream.json
      """)

  @Argument(help: ArgumentHelp("Files to read; none or '-' is standard input.", valueName: "file"))
  var files: [String] = []

  @OptionGroup var options: CommonOptions

  func run() throws {
    var run = Run(options)
    for file in InputFile.list(files) where !run.isDone {
      run.open(file) { () throws(JSONError) in
        try RecordStream(
          JSONRecordReader(
            file.source, framing: options.input.framing, options: options.readingOptions))
      }
    }
    throw run.finish()
  }
}
