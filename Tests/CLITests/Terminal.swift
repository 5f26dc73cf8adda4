/// Runs of the tool on a terminal.
enum Terminal {
  /// Whether a terminal is available for a program on this machine.
  static let isAvailable = (try? CLITests.shell("python3 -c 'import pty; pty.openpty()'"))?.status == 0

  /// Runs a command line like `shell`, with a terminal as its standard output and standard error.
  static func shell(_ command: String, in folder: Folder) throws -> Outcome {
    // `script` differs between systems; Python's module does not.
    let program = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(['/bin/sh', '-c', sys.argv[1]])))"
    return try CLITests.shell(
      "NO_COLOR=1 JSIFT=\"$JSIFT\" python3 -c \"\(program)\" '\(command)'", in: folder, stdin: "")
  }
}
