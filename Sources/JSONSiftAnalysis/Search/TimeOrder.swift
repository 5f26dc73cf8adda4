import JSONSift

/// Two records of an input that is not sorted by time: the later one has a time that is earlier by more than the slack.
package struct TimeDisorder: Sendable, Hashable {
  package let first: TimePosition
  package let second: TimePosition
}

/// Checks that the records of a reader are sorted by time within a slack: no time is earlier than the time of a record
/// before it by more than the slack. Records without a time are not compared.
///
/// The lines are not validated, since their reader does that. If the times of all lines are sorted, so are those of the good
/// ones. Otherwise the range is read again with validation: a bad record has no time.
///
/// Unchecked `Sendable`: one thread at a time adds bytes, which `InputTally` requires, and the check is finished when all
/// bytes have been read.
package final class TimeOrderCheck: InputObserver, @unchecked Sendable {
  private let input: any TimedInput
  private let range: JSONInputRange
  private let slack: Int128
  /// The latest known time before the range, and the earliest one after it.
  private let preceding, following: TimePosition?
  private let frame: Int?
  /// Reads lines that do not have the template; `nil` at the start of a line.
  private var reader: TimeReader?
  /// The template of recent lines. Their times are compared without a reader.
  private var template: TimeLineTemplate?
  /// The offset in the input of the next byte.
  private var offset = 0
  /// The latest time of the records before the next one that is read.
  private var latest: TimePosition?
  private var disorder: TimeDisorder?
  /// Whether the range must be read again, although no disorder was found.
  private var isSuspected = false

  /// The template of a longer line is not determined.
  private static let maxTemplateBytes = 1 << 16

  /// - Parameters:
  ///   - input: The file.
  ///   - range: The bytes that will be read.
  ///   - preceding: The latest known time before them.
  ///   - following: The earliest known time after them.
  ///   - frame: The frame from which the reader's offsets count; see ``TimePosition/frame``.
  init(
    _ input: any TimedInput, _ range: JSONInputRange, slack: Int128, after preceding: TimePosition?,
    before following: TimePosition?, frame: Int?
  ) {
    self.input = input
    self.range = range
    self.slack = slack
    self.preceding = preceding
    self.following = following
    self.frame = frame
    latest = preceding
  }

  /// Begins at an offset of the input, at which a record begins.
  package func begin(at offset: Int) { self.offset = offset }

  /// Checks the next bytes.
  package func add(_ bytes: UnsafeRawBufferPointer) {
    var rest = unsafe bytes
    if reader != nil, let feed = unsafe ByteScan.lineFeed(rest) {
      unsafe read(&rest, feed + 1)
      reader = nil
    }
    if reader == nil {
      unsafe checkLinesOfTemplate(&rest)
      guard unsafe !rest.isEmpty, disorder == nil else { return }
      // The path has been checked, and there is no other error before the first byte.
      reader = try? TimeReader(input.window, input.options, at: offset)
    }
    let endsLine = unsafe rest.last == UInt8(ascii: "\n")
    unsafe read(&rest, rest.count)
    if endsLine { reader = nil }
  }

  /// Checks a number of bytes with the reader.
  private func read(_ bytes: inout UnsafeRawBufferPointer, _ count: Int) {
    unsafe reader?.push(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    checkLines()
    unsafe advance(&bytes, count)
  }

  private func advance(_ bytes: inout UnsafeRawBufferPointer, _ count: Int) {
    unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
    offset += count
  }

  /// Checks the lines at the start of the bytes that have the template of the first line, or of recent ones.
  ///
  /// While times do not decrease, only the last one is parsed: comparing bytes takes a tenth of the instructions.
  private func checkLinesOfTemplate(_ bytes: inout UnsafeRawBufferPointer) {
    guard let feed = unsafe ByteScan.lineFeed(bytes) else { return }
    let first = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<feed])
    if unsafe template?.time(of: first) == nil {
      template = feed <= Self.maxTemplateBytes ? unsafe TimeLineTemplate(of: first, input.window) : nil
    }
    guard let template else { return }
    var end = 0
    // The text of the latest time, if its line is in these bytes, and the index at which this line begins.
    var (newest, start) = unsafe (UnsafeRawBufferPointer?.none, 0)
    while disorder == nil, let feed = unsafe ByteScan.lineFeed(UnsafeRawBufferPointer(rebasing: bytes[end...])) {
      let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[end..<(end + feed)])
      guard let text = unsafe template.time(of: line) else { break }
      if let known = unsafe newest, unsafe known.memoryOrder(text) <= 0 {
        unsafe (newest, start) = (text, end)
      } else {
        if let known = unsafe newest { unsafe compare(known, at: offset + start) }
        unsafe compare(text, at: offset + end)
        unsafe (newest, start) = latest?.byteOffset == offset + end ? (text, end) : (nil, 0)
      }
      end += feed + 1
    }
    if let known = unsafe newest { unsafe compare(known, at: offset + start) }
    unsafe advance(&bytes, end)
  }

  /// Compares a time of the template. If the text is not a valid time, such as one on the 31st of June, it may have
  /// displaced the real latest time, so the range is read again.
  private func compare(_ text: UnsafeRawBufferPointer, at offset: Int) {
    guard let time = unsafe input.window.bounds.time(of: text) else {
      isSuspected = true
      return
    }
    compare(TimePosition(time: time, byteOffset: offset, frame: frame))
  }

  private func checkLines() {
    // Pushed bytes cause no error.
    while disorder == nil, let line = try? reader?.next() { compare(line) }
  }

  private func compare(_ line: TimeReader.Line) {
    guard var position = line.position else { return }
    position.frame = frame
    compare(position)
  }

  private func compare(_ next: TimePosition) {
    guard let last = latest else {
      latest = next
      return
    }
    if next.time.adding(slack) < last.time { disorder = TimeDisorder(first: last, second: next) }
    if next.time > last.time { latest = next }
  }

  /// Checks the last record, after all bytes were read. Returns the first two records that are not sorted; `nil` if all are.
  package func finish() -> TimeDisorder? {
    reader?.close()
    checkLines()
    reader = nil
    if disorder == nil, let following { compare(following) }
    return disorder != nil || isSuspected ? disorder(amongGoodRecordsOr: disorder) : nil
  }

  /// Reads the range again, and compares the times of good records only.
  ///
  /// - Parameter suspected: The result if the file cannot be read any more.
  private func disorder(amongGoodRecordsOr suspected: TimeDisorder?) -> TimeDisorder? {
    (latest, disorder) = (preceding, nil)
    do throws(JSONError) {
      var reader = try TimeReader(input.window, input.options, in: input.source, range)
      while disorder == nil, let line = try reader.next() { compare(line) }
    } catch {
      return suspected
    }
    if disorder == nil, let following { compare(following) }
    return disorder
  }
}
