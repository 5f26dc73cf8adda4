import JSONSift
import TestSupport
import Testing

/// The parsing files of nst/JSONTestSuite: `y_` must be accepted, `n_` refused, `i_` is for the reader to choose.
@Suite(.enabled(if: ThirdPartyData.has("JSONTestSuite"), "\(ThirdPartyData.absence)"))
struct JSONTestSuiteTests {
  static let folder = "JSONTestSuite/test_parsing"

  @Test func `all 95 files that must be accepted are, through every entry point and every chunking`() throws {
    let files = try ThirdPartyData.files(in: Self.folder, prefix: "y_")
    #expect(files.count == 95)
    var failures: [String] = []
    for file in files {
      failures += try EntryPoints.disagreements(on: file.bytes(), expected: .accepted).map { "\(file): \($0)" }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test func `all 188 files that must be refused are, with one error through every entry point`() throws {
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

  @Test func `all 35 files about which RFC 8259 leaves the choice have the answer that we chose`() throws {
    let files = try ThirdPartyData.files(in: Self.folder, prefix: "i_")
    #expect(files.count == 35)
    #expect(Set(files.map(\.name)) == Set(Self.choices.keys.map { "i_\($0).json" }))
    var failures: [String] = []
    for file in files {
      guard let choice = Self.choices[String(file.name.dropFirst(2).dropLast(5))], let expected = Outcome(choice)
      else { continue }
      failures += try EntryPoints.disagreements(on: file.bytes(), expected: expected).map { "\(file): \($0)" }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  /// Numbers are kept as text, so their size does not matter. Half a surrogate pair and ill-formed UTF-8 are refused
  /// where they begin. A mark is passed over; UTF-16 is not read.
  private static let choices = [
    "number_double_huge_neg_exp": "accept",
    "number_huge_exp": "accept",
    "number_neg_int_huge_exp": "accept",
    "number_pos_double_huge_exp": "accept",
    "number_real_neg_overflow": "accept",
    "number_real_pos_overflow": "accept",
    "number_real_underflow": "accept",
    "number_too_big_neg_int": "accept",
    "number_too_big_pos_int": "accept",
    "number_very_big_negative_int": "accept",
    "object_key_lone_2nd_surrogate": "loneSurrogate@2",
    "string_1st_surrogate_but_2nd_missing": "loneSurrogate@2",
    "string_1st_valid_surrogate_2nd_invalid": "loneSurrogate@2",
    "string_UTF-16LE_with_BOM": "invalidUTF8@0",
    "string_UTF-8_invalid_sequence": "invalidUTF8@7",
    "string_UTF8_surrogate_U+D800": "invalidUTF8@2",
    "string_incomplete_surrogate_and_escape_valid": "loneSurrogate@2",
    "string_incomplete_surrogate_pair": "loneSurrogate@2",
    "string_incomplete_surrogates_escape_valid": "loneSurrogate@2",
    "string_invalid_lonely_surrogate": "loneSurrogate@2",
    "string_invalid_surrogate": "loneSurrogate@2",
    "string_invalid_utf-8": "invalidUTF8@2",
    "string_inverted_surrogates_U+1D11E": "loneSurrogate@2",
    "string_iso_latin_1": "invalidUTF8@2",
    "string_lone_second_surrogate": "loneSurrogate@2",
    "string_lone_utf8_continuation_byte": "invalidUTF8@2",
    "string_not_in_unicode_range": "invalidUTF8@2",
    "string_overlong_sequence_2_bytes": "invalidUTF8@2",
    "string_overlong_sequence_6_bytes": "invalidUTF8@2",
    "string_overlong_sequence_6_bytes_null": "invalidUTF8@2",
    "string_truncated-utf-8": "invalidUTF8@2",
    "string_utf16BE_no_BOM": "unexpectedByte@0",
    "string_utf16LE_no_BOM": "unexpectedByte@1",
    "structure_500_nested_arrays": "accept",
    "structure_UTF-8_BOM_empty_object": "accept",
  ]

  /// The names of the files whose stream ends without an error, or the reverse.
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

  /// Two documents that stand on more than one line.
  private static let refusedAsLines = ["array_with_1_and_newline", "object_with_newlines"]
  /// A stream without a record is a stream: nothing, or a blank line.
  private static let emptyStreams = ["single_space", "structure_no_data"]
  /// Two values one after the other: `[][]` and `{"a": true} "x"`.
  private static let twoValues = ["structure_double_array", "structure_object_with_trailing_garbage"]

  @Test func `as lines a document on one line is accepted, and an empty stream is`() throws {
    let refused = try Self.names("y_", .lines, accepted: false)
    #expect(refused.names == Self.refusedAsLines)
    let accepted = try Self.names("n_", .lines, accepted: true)
    #expect(accepted.names == Self.emptyStreams)
    let failures = refused.failures + accepted.failures
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test func `as values every document is accepted, and so are two values and an empty stream`() throws {
    let refused = try Self.names("y_", .values, accepted: false)
    #expect(refused.names.isEmpty)
    let accepted = try Self.names("n_", .values, accepted: true)
    #expect(accepted.names == (Self.emptyStreams + Self.twoValues).sorted())
    let failures = refused.failures + accepted.failures
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }
}
