import Foundation

/// A program that answers a question.
struct Contender {
  enum Kind: String, Codable {
    case ours
    case peer
    /// Does less than is asked: as fast as a reader on libyajl can be, no competitor.
    case floor
  }

  let name: String
  var kind = Kind.peer
  /// What must be known about its answer.
  var remark: String?
  /// The largest file that it is given: because of its memory or its time.
  var limit = Int.max
  /// Where its answer is not that of the question.
  var answer: ((CompareInput) -> Meter.Answer)?
  /// It spells numbers and strings in its own way: of its answer only the number of lines is that of the others.
  var spellsAnew = false
  let words: (CompareInput) -> [String]
}

/// A file, and what is known about it.
struct CompareInput {
  let path: String
  let bytes: Int
  var answer = LogRecords.Answer()
  /// The file is gone when this is.
  private var owner: Any?

  init(_ file: LogFile) {
    path = file.path
    bytes = file.bytes
    answer = file.answer
    owner = file
  }

  init(_ file: TemporaryFile, _ bytes: Int, _ answer: LogRecords.Answer) {
    path = file.path
    self.bytes = bytes
    self.answer = answer
    owner = file
  }

  init(path: String, bytes: Int) {
    self.path = path
    self.bytes = bytes
  }

  /// The place of the last record that has a user.
  var place: String { "\(answer.records - 1)" }
}

struct CompareQuestion {
  let name: String
  let title: String
  /// From large to small. Each contender gets the first that is not too large for it.
  let inputs: () throws -> [CompareInput]
  /// What is asked for first, before anything is timed.
  let trial: () throws -> CompareInput
  /// The same with a value that is no JSON, or that is.
  let flawed: ([UInt8]) throws -> CompareInput
  /// `nil`: all must agree.
  let answer: (CompareInput) -> Meter.Answer?
  /// Whether results come one by one, so that the first of them means something.
  var isStream = false
  /// Whether time is what counts, and not bytes for each second.
  var isStart = false
  let baseline: String
  let contenders: [Contender]
}
