import Foundation

// dropin EXPECTED: prints the report; fails if it differs from the text of the file EXPECTED.

var tracker = Tracker()
try tracker.repository()
try tracker.issues()
tracker.draft()
try tracker.settings()
try tracker.failures()
try tracker.events()
try tracker.values()
print(tracker.report, terminator: "")

guard CommandLine.arguments.count == 2 else { exit(2) }
let expected = try String(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]), encoding: .utf8)
exit(tracker.report == expected ? 0 : 1)
