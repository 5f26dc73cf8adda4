import ArgumentParser
import JSONSift

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Exit status, by contract.
enum Status {
  static let found: Int32 = 0
  static let nothingFound: Int32 = 1
  static let failed: Int32 = 2
}

@main
struct JSift: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jsift",
    abstract: "Finds values in JSON that is too big, too long or too broken for the usual tools.",
    discussion: """
      jsift '$.user.name' events.ndjson          one result per line
      jsift -r '$.statuses[*].text' tweets.json  strings without quotes
      jsift --count '$.error' *.log              how many records have one
      jsift records --limit 3 events.ndjson      the first three records
      jsift records --where '@.ms > 100' app.log the slow ones
      jsift each '$.items' huge.json             each element of one array
      jsift check *.json                         is it JSON, and if not, where not
      jsift shape events.ndjson                  what is in it: paths, types, bounds
      jsift format huge.json | less              pretty, whatever its size
      jsift stats --of ms='$.ms' app.log         how many, the sum, the mean, p95

      Exit status: 0 something was found, 1 nothing was found, 2 there was an error.
      """,
    version: "0.1.0",
    subcommands: [Get.self, Records.self, Each.self, Check.self, Shape.self, Format.self, Stats.self],
    defaultSubcommand: Get.self)

  // Commands say their names: to make them of the names of types takes a sixth of the instructions to start.
  static var commandNames: [String] { configuration.subcommands.map { $0._commandName } }

  /// Parses, runs and ends with the status of the contract.
  static func main() {
    StackLimit.raise()
    // A reader that goes away shows as an error of `write`, and ends the program quietly.
    _ = signal(SIGPIPE, SIG_IGN)
    occupyStandardDescriptors()
    Interruption.report()
    do {
      try refuseHelpOfNothing(RawArguments.launch.texts)
      var command = try parseAsRoot(RawArguments.launch.texts)
      try command.run()
      throw ExitCode(Status.found)
    } catch let code as ExitCode {
      end(unsafe Output.standard.settle(code.rawValue))
    } catch {
      let isHelp = exitCode(for: error) == .success
      let text = fullMessage(for: error)
      if isHelp {
        unsafe Output.standard.write(Array((text + "\n").utf8))
        unsafe Output.standard.finish()
        end(Status.found)
      }
      ErrorReport.write(text.hasPrefix("Error: ") ? "jsift: " + text.dropFirst(7) : text)
      end(Status.failed)
    }
  }
}

extension JSift {
  /// The parser shows the help of the program for a command that is none, and passes over what stands behind a command.
  private static func refuseHelpOfNothing(_ arguments: [String]) throws {
    guard arguments.first == "help", let name = arguments.dropFirst().first, !name.hasPrefix("-") else { return }
    guard name != "help", !commandNames.contains(name) else {
      guard let extra = arguments.dropFirst(2).first(where: { !$0.hasPrefix("-") }) else { return }
      let other = PathArguments.nearest(to: extra, among: commandNames).flatMap { $0 == name ? nil : $0 }
      throw PathArguments.refusal(
        "help: expected one command, found '\(SourceExcerpt.printable(RawArguments.launch.bytes(of: extra)))' behind "
          + "'\(name)'; did you mean 'jsift help \(name)'\(other.map { " or 'jsift help \($0)'" } ?? "")?")
    }
    let meant = PathArguments.nearest(to: name, among: commandNames)
    throw PathArguments.refusal(
      "help: there is no command '\(SourceExcerpt.printable(RawArguments.launch.bytes(of: name)))'; "
        + (meant.map { "did you mean '\($0)'?" } ?? "there are \(commandNames.joined(separator: ", "))"))
  }
}

/// Puts something that cannot be used in the place of a standard descriptor that is closed. Else the next file that is
/// opened, or a pipe of the runtime, would get its number, and the output would go there.
private func occupyStandardDescriptors() {
  for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) == -1 {
    // The lowest number that is free is this one. It is open in the direction that is of no use.
    _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
  }
}

/// Ends the program. A function of its own: inside a command `exit` means the parser's.
private func end(_ status: Int32) -> Never { exit(status) }
