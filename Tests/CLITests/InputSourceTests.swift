import Foundation
import Testing

/// Inputs that are no ordinary files, or cannot be read.
@Suite struct InputSourceTests {
  @Test(arguments: [
    ("/", "Is a directory"), ("absent", "No such file or directory"), ("loop", "Too many levels of symbolic links"),
    ("file/x", "Not a directory"),
  ])
  func `an input that cannot be read is named with the reason, and the exit status is 2`(
    name: String, reason: String
  )
    throws
  {
    try withFolder { folder in
      _ = try folder.file("file", "[1]")
      try FileManager.default.createSymbolicLink(atPath: folder.path("loop"), withDestinationPath: "loop")
      for command in ["get '$'", "records", "check", "format", "shape", "each '$'", "stats --of n='$'"] {
        let found = try shell("exec \"$JSIFT\" \(command) '\(name)'", in: folder)
        #expect(found.status == 2, "\(command)")
        #expect(found.out.isEmpty, "\(command)")
        #expect(
          found.err.hasPrefix("jsift: \(name): the input cannot be read: \(reason)\n"), "\(command): \(found.err)")
      }
    }
  }

  @Test func `files without permission are reported, and no partial file remains`() throws {
    try withFolder { folder in
      _ = try folder.file("secret.json", "[1]")
      // The permissions of the superuser are not checked, so it becomes somebody else.
      let script = """
        chmod 000 secret.json && mkdir closed && chmod 555 . closed
        if [ "$(id -u)" -eq 0 ]; then
          cp "$JSIFT" ./jsift && chmod 755 jsift && JSIFT=./jsift
          other='setpriv --reuid=65534 --regid=65534 --clear-groups'
        fi
        $other "$JSIFT" '$' secret.json
        echo $?
        echo '[1]' | $other "$JSIFT" '$' -o closed/out.json
        echo $?
        ls -A closed
        chmod 755 . closed
        """
      let found = try shell(script, in: folder)
      #expect(found.text == "2\n2\n")
      #expect(
        found.err
          == "jsift: secret.json: the input cannot be read: Permission denied\njsift: closed/out.json: Permission denied\n"
      )
    }
  }

  @Test func `standard input by the name of its device is read`() throws {
    for name in ["-", "/dev/stdin", "/dev/fd/0"] {
      let found = try run(["$[1]", name], stdin: "[1,2]")
      #expect(found.text == "2\n", "\(name)")
      #expect(found.status == 0, "\(name)")
    }
  }

  #if os(Linux)
    @Test(arguments: ["get $", "records", "format"])
    func `a file of the proc file system, whose size is 0, is read to its end`(command: String) throws {
      let name = "/proc/sys/kernel/pid_max"
      let content = try String(contentsOfFile: name, encoding: .utf8)
      try run(command.split(separator: " ").map(String.init) + [name]).expect(text: content, status: 0)
    }

    @Test func `an error while reading is reported as such, not as a cut text`() throws {
      let found = try run(["records", "/proc/self/mem"])
      #expect(found.err == "jsift: /proc/self/mem: the input cannot be read: Input/output error\n")
      #expect(found.out.isEmpty)
      #expect(found.status == 2)
    }
  #endif
}
