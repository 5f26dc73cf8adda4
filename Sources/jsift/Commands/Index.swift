import ArgumentParser
import JSONSift

struct Index: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Index the values of paths, so that --where reads only blocks that can match.",
    discussion: """
      jsift index -p '$.user.id' -p '$.time' events.ndjson
      jsift records --where '@.user.id == 4821' events.ndjson
      jsift index events.ndjson

      For each block of about a megabyte, FILE.jsidx has the types and bounds of the values of each path, and a Bloom \
      filter of its numbers and strings. Commands with --where look for it beside each file, and read only the blocks \
      that can satisfy the condition: a comparison of an indexed path with a number, string, true, false or null, or \
      several of them joined by && and ||. Results are the same as without it. Lines outside these blocks are not \
      validated.

      An index is used only while the file has the same device, inode, size and times as when it was indexed. With \
      --index grow it is also used after lines were appended, which are then read as well: the bytes at the start of the \
      file and at the end of what was indexed are compared, and a change between them goes unnoticed. Without -p the \
      paths of the present index are indexed again.

      The records must be lines, and the file must not be compressed. A block with a line that exceeds a limit is \
      always read.
      """)

  @Argument(help: ArgumentHelp("Files to index.", valueName: "file"), completion: .file())
  var files: [String] = []

  @Option(
    name: [.customShort("p"), .long],
    help: ArgumentHelp("A path with names and indexes only. May be repeated.", valueName: "path"))
  var path: [String] = []

  @OptionGroup var workers: JobsOption

  func run() throws {
    let inputs = files.isEmpty ? [] : InputFile.list(files)
    guard !inputs.isEmpty, inputs.allSatisfy({ $0.path != nil }) else {
      throw PathArguments.rejection("index: expected named files, found \(inputs.isEmpty ? "none" : "standard input")")
    }
    let paths = try path.map { try PathArguments.path($0) }
    if let (argument, _) = zip(path, paths).first(where: { !$0.1.isSingular }) {
      throw PathArguments.rejection(
        "--path '\(SourceExcerpt.printable(argument.utf8))': expected a path with names and indexes only")
    }
    var hasFailed = false
    for input in inputs {
      if try !write(input, paths) { hasFailed = true }
    }
    throw ExitCode(hasFailed ? Status.failed : Status.found)
  }

  /// Writes the index of a file. Reports an error and returns `false` if that fails.
  private func write(_ file: InputFile, _ paths: [JSONPath]) throws -> Bool {
    guard let path = file.path else { return false }
    let target = IndexOption.path(of: path)
    do throws(JSONError) {
      var paths = paths
      if paths.isEmpty {
        guard File.status(at: target) != nil else {
          ErrorReport.write(
            "\(file.displayName): expected --path, or \(SourceExcerpt.printable(target)) with the paths to index "
              + "again, found neither")
          return false
        }
        paths = try JSONBlockIndex(contentsOf: target).paths
      }
      let index = try JSONBlockIndex(of: path, paths: paths, workers: workers.jobs)
      do throws(File.Failure) {
        let output = try OutputFile(target)
        try output.write(index)
      } catch {
        ErrorReport.write("\(SourceExcerpt.printable(target)): \(error.reason)")
        return false
      }
      return true
    } catch {
      ErrorReport.write(error, file: file)
      return false
    }
  }
}
