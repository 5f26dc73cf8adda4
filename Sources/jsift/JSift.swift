import ArgumentParser
import JSONSift

/// The exit statuses that the documentation guarantees.
enum Status {
  static let found: Int32 = 0
  static let nothingFound: Int32 = 1
  static let failed: Int32 = 2
}

@main
struct JSift: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jsift",
    abstract: "Find values in JSON that is too big, too long or too broken for the usual tools.",
    discussion: """
      jsift '$.user.name' events.ndjson          one result per line
      jsift -r '$.statuses[*].text' tweets.json  strings without quotes
      jsift --count '$.error' *.log              number of records with an error
      jsift records --limit 3 events.ndjson      the first three records
      jsift records --where '@.ms > 100' app.log the slow ones
      jsift merge a.log b.log                    in the order of time
      jsift each '$.items' huge.json             each element of one array
      jsift check *.json                         validate, with error positions
      jsift shape events.ndjson                  the structure: paths, types, bounds
      jsift format huge.json | less              pretty, whatever its size
      jsift stats --of ms='$.ms' app.log         count, sum, mean, p95
      jsift edit --preset share app.log          mask secrets
      jsift report app.log -o report.html        a page about all of it
      jsift index -p '$.user.id' app.log         for fast searches with --where

      jsift COMMAND --help shows the commonest options, jsift COMMAND --help-all and the manual page show all of them.

      Exit status: 0 something was found, 1 nothing was found, 2 there was an error. A bad record that is skipped \
      changes it only for jsift check.
      """,
    version: Version.text,
    subcommands: [
      Get.self, Records.self, Merge.self, Each.self, Check.self, Shape.self, Format.self, Stats.self, Edit.self,
      Index.self, Report.self,
    ],
    defaultSubcommand: Get.self)

  // Commands declare their names: deriving them from type names takes a sixth of the instructions of a start.
  static var commandNames: [String] { configuration.subcommands.map { $0._commandName } }

  /// Parses the arguments, runs the command, and exits with a documented status.
  static func main() {
    StackLimit.raise()
    AddressSpaceLimit.adapt()
    // A closed pipe is then an error of `write`, which ends the program without a message.
    _ = signal(SIGPIPE, SIG_IGN)
    occupyStandardDescriptors()
    Interruption.report()
    let texts = RawArguments.launch.texts
    let options = texts.prefix { $0 != "--" }
    // The parser knows one kind of help, which has all options.
    let showsAll = options.contains("--help-all")
    let arguments = options.map { $0 == "--help-all" ? "--help" : $0 } + texts[options.endIndex...]
    do {
      try RawArguments.launch.requireFew()
      try rejectHelpOfNothing(arguments)
      var command = try parsed(arguments)
      try command.run()
      throw ExitCode(Status.found)
    } catch let code as ExitCode {
      end(Summary.write(after: unsafe Output.standard.settle(code.rawValue)))
    } catch {
      let isHelp = exitCode(for: error) == .success
      let text = isHelp && !showsAll ? shortHelp(for: arguments) ?? fullMessage(for: error) : fullMessage(for: error)
      if isHelp {
        unsafe Output.standard.write(Array((text + "\n").utf8))
        unsafe Output.standard.flush()
        end(Status.found)
      }
      // The parser of arguments begins its messages with this word.
      if text.hasPrefix("Error: ") {
        ErrorReport.write(String(text.dropFirst(7)))
      } else {
        ErrorReport.put(text + "\n")
      }
      end(Status.failed)
    }
  }
}

extension JSift {
  /// Parses the arguments.
  ///
  /// The parser of the tree of commands describes the options of a command three times, which is a third of the instructions of
  /// a start. So the parser of the named command, or of the default one, is tried first. If it finds an error, or a request for
  /// help, the parser of the tree parses the arguments again, because its messages name all commands.
  private static func parsed(_ arguments: [String]) throws -> ParsableCommand {
    if let first = arguments.first {
      let named = configuration.subcommands.first { $0._commandName == first }
      let own = named == nil ? arguments : Array(arguments.dropFirst())
      if let command = named ?? (first.hasPrefix("$") ? Get.self : nil), let parsed = try? command.parseAsRoot(own),
        // A request for help is a command of its own.
        type(of: parsed) == command
      {
        return parsed
      }
    }
    return try parseAsRoot(arguments)
  }

  /// Returns the help of one screen; `nil` if the arguments do not request the help of a command.
  private static func shortHelp(for arguments: [String]) -> String? {
    let asked = arguments.prefix { $0 != "--" }
    let isHelp = asked.first == "help"
    guard isHelp || asked.contains("-h") || asked.contains("--help") else { return nil }
    let others = (isHelp ? asked.dropFirst() : asked).filter { $0 != "-h" && $0 != "--help" }
    guard let first = others.first else { return nil }
    return ShortHelp(of: commandNames.contains(first) ? first : "get", in: _dumpHelp())?.text
  }

  /// Rejects `help` with an unknown command, or with arguments after a command. The parser would show the general help, or
  /// ignore the arguments.
  private static func rejectHelpOfNothing(_ arguments: [String]) throws {
    guard arguments.first == "help", let name = arguments.dropFirst().first, !name.hasPrefix("-") else { return }
    guard name != "help", !commandNames.contains(name) else {
      guard let extra = arguments.dropFirst(2).first(where: { !$0.hasPrefix("-") }) else { return }
      let other = PathArguments.nearest(to: extra, among: commandNames).flatMap { $0 == name ? nil : $0 }
      throw failure(
        "help: expected one command, found '\(RawArguments.launch.bytes(of: extra).printable)' after "
          + "'\(name)'; did you mean 'jsift help \(name)'\(other.map { " or 'jsift help \($0)'" } ?? "")?")
    }
    let meant = PathArguments.nearest(to: name, among: commandNames)
    throw failure(
      "help: unknown command '\(RawArguments.launch.bytes(of: name).printable)'; "
        + (meant.map { "did you mean '\($0)'?" } ?? "commands: \(commandNames.joined(separator: ", "))"))
  }
}

/// Opens /dev/null in an unusable direction on each standard descriptor that is closed. Otherwise the next opened file,
/// or a pipe of the runtime, would get its number, and output would be written to it.
private func occupyStandardDescriptors() {
  for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) == -1 {
    // The lowest free number is this descriptor. It is opened in the direction that is never used.
    _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
  }
}

/// Ends the program. A separate function, because inside a command `exit` is the parser's method.
private func end(_ status: Int32) -> Never { exit(status) }
