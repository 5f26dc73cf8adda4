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
      document, a path without '*' stops the reading when it is answered.
      """)

  @Argument(help: ArgumentHelp("A path of RFC 9535, such as '$.items[*].id'.", valueName: "path"))
  var path: String

  @Argument(help: ArgumentHelp("Files to read; none or '-' is standard input.", valueName: "file"))
  var files: [String] = []

  @OptionGroup var options: CommonOptions

  func run() throws {
    let path: JSONPath
    do throws(JSONError) {
      path = try JSONPath(self.path)
    } catch {
      ErrorReport.write(error, path: self.path)
      throw ExitCode(Status.failed)
    }
    var run = Run(options)
    for file in InputFile.list(files) where !run.isDone {
      run.open(file) { () throws(JSONError) in
        try MatchStream(JSONMatches(
          of: path, in: file.source, framing: options.input.framing, options: options.readingOptions))
      }
    }
    throw run.finish()
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
        try RecordStream(JSONRecordReader(
          file.source, framing: options.input.framing, options: options.readingOptions))
      }
    }
    throw run.finish()
  }
}
