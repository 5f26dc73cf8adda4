import ArgumentParser
import JSONSift
import JSONSiftAnalysis

struct Index: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Index a file, so that --where, --line, --record and --element read only parts of it.",
    discussion: """
      jsift index -p '$.user.id' -p '$.time' events.ndjson
      jsift records --where '@.user.id == 4821' events.ndjson
      jsift index -p '$.items' huge.json
      jsift each '$.items' --element 1000000 huge.json

      For each block of about a megabyte, FILE.jsidx has the types and bounds of the values of each path, and a Bloom \
      filter of its numbers and strings. Commands with --where look for it beside each file, and read only the blocks \
      that can satisfy the condition: a comparison of an indexed path with a number, string, true, false or null, or \
      several of them joined by && and ||. Results are the same as without it. Lines outside these blocks are not \
      validated.

      An index is used only while the file has the same device, inode, size and times as when it was indexed. With \
      --index grow it is also used after lines were appended, which are then read as well: the bytes at the start of the \
      file and at the end of what was indexed are compared, and a change between them goes unnoticed. Without -p the \
      paths of the existing index are indexed again; if there is none, only lines and records are counted, which is \
      enough for --line and --record.

      FILE.jsidx holds values of FILE, as bounds and hashes, so its permissions are at most those of FILE.

      The records must be lines, and the file must not be compressed. A block with a line that exceeds a limit is \
      always read.

      For one document, -p is the path of an array, by default $, and the index has the position of an element for about \
      each megabyte. each --element and get with a path such as '$.items[1000000].id' begin to read there; the text \
      before is not validated.
      """)

  @Argument(help: ArgumentHelp("Files to index.", valueName: "file"), completion: .file())
  var files: [String] = []

  @Option(
    name: [.customShort("p"), .long],
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "A path with names and indexes only. May be repeated; for one document, the path of one array.", valueName: "path"
    ))
  var path: [String] = []

  @OptionGroup var workers: JobsOption

  func run() throws {
    let inputs = files.isEmpty ? [] : InputFile.list(files)
    guard !inputs.isEmpty, inputs.allSatisfy({ $0.path != nil }) else {
      throw failure("index: expected named files, found \(inputs.isEmpty ? "none" : "standard input")")
    }
    try MisplacedArgument.reject(inputs)
    let path = RawArguments.launch.values(of: path)
    let paths = try path.map { try PathArguments.path($0) }
    if let (argument, _) = zip(path, paths).first(where: { !$0.1.isSingular }) {
      throw failure("--path '\(argument.utf8.printable)': expected a path with names and indexes only")
    }
    if paths.count > 1, let document = inputs.first(where: { $0.path.map { SearchedFile.isDocument($0) } ?? false }) {
      throw failure(
        "--path: \(document.displayName) is one document: expected the path of one array, found \(paths.count) paths")
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
    var paths = paths
    if paths.isEmpty {
      do throws(JSONError) {
        paths = try Self.present(target)
      } catch {
        ErrorReport.write("\(target.printable): \(error.message); name the paths with -p to replace it, or delete it")
        return false
      }
    }
    do throws(JSONError) {
      let index = try makeIndex(of: path, paths)
      do throws(File.Failure) {
        try OutputFile(target, atMost: index.permissions).write { (file) throws(File.Failure) in
          try index.write(to: file)
        }
      } catch {
        ErrorReport.write("\(target.printable): \(error.reason)")
        return false
      }
      return true
    } catch {
      if let format = error.compressedFormat, error.converter == nil {
        let command = "\(format) -dc \(Shell.file(file.displayName))"
        ErrorReport.write(
          "\(file.displayName): expected a file that is not compressed, found \(format) data, which has no blocks that an "
            + "index can find; \(command) > FILE makes a file that has (--range reads files of bgzip and pzstd in parts)"
        )
      } else {
        ErrorReport.write(error, file: file)
      }
      return false
    }
  }

  private func makeIndex(of file: [UInt8], _ paths: [JSONPath]) throws(JSONError) -> JSONBlockIndex {
    guard SearchedFile.isDocument(file) else {
      return try JSONBlockIndex(of: file, paths: paths, workers: workers.jobs)
    }
    return try JSONBlockIndex(of: file, elementsOf: paths.first ?? "$", workers: workers.jobs)
  }

  /// Returns the paths of an index, or the path of its array; none if there is no index.
  private static func present(_ path: [UInt8]) throws(JSONError) -> [JSONPath] {
    guard File.status(at: path) != nil else { return [] }
    let index = try JSONBlockIndex(contentsOf: path)
    return index.container.map { [$0] } ?? index.paths
  }
}
