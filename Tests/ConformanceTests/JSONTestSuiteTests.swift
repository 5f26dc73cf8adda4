import JSONSift
import TestSupport
import Testing

/// The parsing files of nst/JSONTestSuite: `y_` must be accepted, `n_` rejected, `i_` may be either.
@Suite(.enabled(if: ThirdPartyData.has("JSONTestSuite"), "\(ThirdPartyData.absence)")) struct JSONTestSuiteTests {
  static let folder = "JSONTestSuite/test_parsing"

  @Test func `all 95 files that must be accepted are accepted through every entry point and every chunking`() throws {
    let files = try ThirdPartyData.files(in: Self.folder, prefix: "y_")
    #expect(files.count == 95)
    var failures: [String] = []
    for file in files {
      failures += try EntryPoints.disagreements(on: file.bytes(), expected: .accepted).map { "\(file): \($0)" }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test func `all 188 files that must be rejected are rejected with one error through every entry point`() throws {
    let files = try ThirdPartyData.files(in: Self.folder, prefix: "n_")
    #expect(files.count == 188)
    var failures: [String] = []
    for file in files {
      let bytes = try file.bytes()
      let outcome = events(of: bytes, chunk: nil).outcome
      if outcome.isAccepted { failures.append("\(file): accepted") }
      failures += try EntryPoints.disagreements(on: bytes, expected: outcome).map { "\(file): \($0)" }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test func `all 35 files for which RFC 8259 permits either result have the chosen result`() throws {
    let files = try ThirdPartyData.files(in: Self.folder, prefix: "i_")
    #expect(files.count == 35)
    #expect(Set(files.map(\.name)) == Set(JSONTestSuiteChoices.all.keys))
    var failures: [String] = []
    for file in files {
      let choice = try #require(JSONTestSuiteChoices.all[file.name])
      let expected = try #require(Outcome(choice))
      failures += try EntryPoints.disagreements(on: file.bytes(), expected: expected).map { "\(file): \($0)" }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  /// Returns the names of the files whose stream ends without an error, or with one.
  private static func names(
    _ prefix: String, _ framing: JSONFraming, accepted: Bool
  ) throws -> (names: [String], failures: [String]) {
    var names: [String] = []
    var failures: [String] = []
    for file in try ThirdPartyData.files(in: folder, prefix: prefix) {
      let bytes = try file.bytes()
      let whole = EntryPoints.records(of: bytes, framing: framing, chunk: nil)
      for size in bytes.count > 20_000 ? [64] : EntryPoints.streamChunks {
        let cut = EntryPoints.records(of: bytes, framing: framing, chunk: size)
        if cut != whole { failures.append("\(file) in chunks of \(size): \(cut), not \(whole)") }
      }
      if whole.outcome.isAccepted == accepted { names.append(String(file.name.dropFirst(2).dropLast(5))) }
    }
    return (names, failures)
  }

  /// Two documents that span more than one line.
  private static let rejectedAsLines = ["array_with_1_and_newline", "object_with_newlines"]
  /// A stream without a record is valid: no bytes, or a blank line.
  private static let emptyStreams = ["single_space", "structure_no_data"]
  /// Two consecutive values: `[][]` and `{"a": true} "x"`.
  private static let twoValues = ["structure_double_array", "structure_object_with_trailing_garbage"]

  @Test func `as lines, a single-line document and an empty stream are accepted`() throws {
    let rejected = try Self.names("y_", .lines, accepted: false)
    #expect(rejected.names == Self.rejectedAsLines)
    let accepted = try Self.names("n_", .lines, accepted: true)
    #expect(accepted.names == Self.emptyStreams)
    let failures = rejected.failures + accepted.failures
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test func `as values, every document, two values and an empty stream are accepted`() throws {
    let rejected = try Self.names("y_", .values, accepted: false)
    #expect(rejected.names.isEmpty)
    let accepted = try Self.names("n_", .values, accepted: true)
    #expect(accepted.names == (Self.emptyStreams + Self.twoValues).sorted())
    let failures = rejected.failures + accepted.failures
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }
}
