/// Generated files, each made when it is first asked for, and gone when nobody holds it any more.
final class CompareFiles {
  private var documents: [Int: CompareInput] = [:]
  private var logs: [Int: CompareInput] = [:]

  /// What is asked before anything is timed: small, so that a slow program does not take a minute to be wrong.
  static let trialBytes = 3_000_000

  func document(_ bytes: Int) throws -> CompareInput {
    if let found = documents[bytes] { return found }
    let made = CompareInput(try LogFile(document: bytes))
    documents[bytes] = made
    return made
  }

  func log(_ bytes: Int) throws -> CompareInput {
    if let found = logs[bytes] { return found }
    let made = CompareInput(try LogFile(lines: bytes, hasDecoys: true))
    logs[bytes] = made
    return made
  }

  /// Lets files go that only one question needs.
  func drop(above bytes: Int) {
    documents = documents.filter { $0.key <= bytes }
    logs = logs.filter { $0.key <= bytes }
  }
}
