import CFuzzer
import Foundation
import FuzzTargets

// The program of all fuzz targets. `JSONSIFT_FUZZ_TARGET` names the target, or else the name of the program does, after
// `fuzz_`: OSS-Fuzz runs one file for each target. `--seeds FOLDER` writes the seeds of the target instead of fuzzing, and
// `--list` prints the names of the targets.
//
// SwiftPM names the entry point of a program after its module and links it as `main`; libFuzzer's own `main` cannot have
// that name.

nonisolated(unsafe) private var target: FuzzTarget?

@_cdecl("Fuzz_main")
func main(_ count: CInt, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  let arguments = CommandLine.arguments
  if arguments.dropFirst() == ["--list"] {
    for target in FuzzTarget.all { print(target.name) }
    return 0
  }
  let program = arguments.first.map { URL(filePath: $0).lastPathComponent } ?? ""
  let name =
    ProcessInfo.processInfo.environment["JSONSIFT_FUZZ_TARGET"] ?? String(program.split(separator: "_").last ?? "")
  guard let named = FuzzTarget.named(name) else {
    print("fuzz: JSONSIFT_FUZZ_TARGET is one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
    return 2
  }
  if arguments.dropFirst().first == "--seeds", arguments.count == 3 {
    do {
      try Seeds.write(of: named, to: URL(filePath: arguments[2]))
      return 0
    } catch {
      print("fuzz: \(error)")
      return 1
    }
  }
  unsafe target = named
  var (count, words) = unsafe (count, words)
  return unsafe LLVMFuzzerRunDriver(&count, &words) { bytes, count in
    do {
      try unsafe target?.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
      // libFuzzer keeps the input of a trap.
      fatalError("\(error)")
    }
    return 0
  }
}
