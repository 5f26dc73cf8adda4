import TestSupport
import Testing

@testable import JSONSift

/// The Swift face of the validation. `Scripts/check kernels validation` tests that the kernels are right.
@Suite struct ValidationScanTests {
  struct Answer: Equatable {
    var undecided: [ValidationScan.Undecided] = []
    var phases: [ValidationScan.Phase] = []
    var records = 0
    var lines = 0
  }

  static let documents: [(String, ValidationScan.Undecided?)] = [
    (#" {"a":[1,-2.5e+3,true],"b":{},"c":"é\n😀"} "#, nil), ("0", nil), (#"{"a":1,}"#, undecided(.unexpected, 7)),
    ("[1 2]", undecided(.unexpected, 3)), ("[1,]", undecided(.unexpected, 3)), ("[{]", undecided(.bracket, 2)),
    ("[]]", undecided(.bracket, 2)), ("[1,012]", undecided(.number, 4, token: 3)),
    ("[truex]", undecided(.literal, 5, token: 1)), ("[\"a\tb\"]", undecided(.control, 3, token: 1)),
    (#"["\x"]"#, undecided(.escape, 3, token: 1)), (#"["\\ud83d\ude00"]"#, undecided(.surrogate, 12, token: 1)),
    (#"["a"#, undecided(.unfinished, 3, token: 1)), ("", undecided(.unfinished, 0)),
  ]

  static func undecided(_ reason: ValidationScan.Reason, _ offset: Int, token: Int? = nil) -> ValidationScan.Undecided {
    ValidationScan.Undecided(reason: reason, offset: offset, tokenStart: token ?? offset)
  }

  @Test(arguments: documents)
  func `an undecided place is located at the first byte after which no valid JSON can follow, in chunks of every size`(
    text: String, undecided: ValidationScan.Undecided?
  ) {
    let bytes = Array(text.utf8)
    let difference = differenceOverEveryChunking(of: bytes) { size in
      var scan = ValidationScan(isLines: false, limits: JSONLimits())
      return validate(bytes, with: &scan, chunk: size)
    }
    #expect(difference == nil)
    var scan = ValidationScan(isLines: false, limits: JSONLimits())
    #expect(validate(bytes, with: &scan, chunk: nil).undecided == (undecided.map { [$0] } ?? []))
  }

  @Test func `an undecided place affects only its own line, and blank lines cause none`() {
    let text = "{\"a\":1}\r\n\n[1,]\n \t\r\n\"\\ud800\"\n\(String(repeating: "[{}],", count: 60))\n[true]"
    let bytes = Array(text.utf8)
    let difference = differenceOverEveryChunking(of: bytes) { size in
      var scan = ValidationScan(isLines: true, limits: JSONLimits())
      return validate(bytes, with: &scan, chunk: size, lines: true)
    }
    #expect(difference == nil)
    var scan = ValidationScan(isLines: true, limits: JSONLimits())
    let answer = validate(bytes, with: &scan, chunk: nil, lines: true)
    #expect(answer.undecided.map(\.reason) == [.unexpected, .surrogate, .unexpected])
    #expect(answer.undecided.map(\.offset) == [13, 26, 32])
    #expect(answer.records == 2)
    #expect(answer.lines == 6)
  }

  /// Validates all bytes; after an undecided place it continues with the next line if `lines` is set.
  private func validate(_ bytes: [UInt8], with scan: inout ValidationScan, chunk: Int?, lines: Bool = false) -> Answer {
    var answer = Answer()
    var start = 0
    while start < bytes.count {
      let end = min(start + (chunk ?? bytes.count), bytes.count)
      let used = unsafe bytes[start..<end].withUnsafeBytes { unsafe scan.run($0) }
      start += used
      guard let undecided = scan.undecided else { continue }
      answer.undecided.append(undecided)
      answer.phases.append(scan.phase)
      guard lines else { return answer }
      start = (bytes[start...].firstIndex(of: 0x0A) ?? bytes.count - 1) + 1
      scan.resume(atLine: start)
    }
    if !scan.finish(), let undecided = scan.undecided { answer.undecided.append(undecided) }
    answer.records = scan.records
    answer.lines = scan.line
    return answer
  }
}
