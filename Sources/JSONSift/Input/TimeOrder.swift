/// A time, and the offset in the input of its record.
package struct TimePlace: Sendable, Hashable {
  package let time: Instant
  package let byteOffset: Int
  /// In a compressed input, the offset of the frame from which `byteOffset` counts bytes of the text; `nil` if it counts from
  /// the start of the input.
  package var frame: Int?
}

/// Two records of an input that is not sorted by time: the later one has a time that is earlier by more than the slack.
package struct TimeDisorder: Sendable, Hashable {
  package let first: TimePlace
  package let second: TimePlace
}

/// Checks that the records that a reader reads are sorted by time, but for a slack: no record has a time that is earlier by
/// more than the slack than the time of a record before it. Records without a time are not compared.
///
/// The lines are not validated, since their reader does that. If the times of all lines are sorted, so are those of the good
/// ones. Otherwise the range is read again with validation: a bad record has no time.
///
/// Unchecked `Sendable`: one thread at a time adds bytes, which ``InputTally`` requires, and the check is finished when all
/// bytes have been read.
package final class TimeOrderCheck: @unchecked Sendable {
  private let input: any TimedInput
  private let range: JSONInputRange
  private let slack: Int128
  /// The latest known time before the range, and the earliest one after it.
  private let preceding, following: TimePlace?
  private let frame: Int?
  private var reader: TimeReader?
  /// The latest time of the records before the next one that is read.
  private var latest: TimePlace?
  private var disorder: TimeDisorder?

  /// - Parameters:
  ///   - input: The file.
  ///   - range: The bytes that will be read.
  ///   - preceding: The latest known time before them.
  ///   - following: The earliest known time after them.
  ///   - frame: The frame from which the reader's offsets count; see ``TimePlace/frame``.
  init(
    _ input: any TimedInput, _ range: JSONInputRange, slack: Int128, after preceding: TimePlace?,
    before following: TimePlace?, frame: Int?
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
  func begin(at offset: Int) {
    var options = input.options
    options.reading.fastForward = true
    // The path has been checked, and there is no other error before the first byte.
    reader = try? TimeReader(input.window, options, at: offset)
  }

  /// Checks the next bytes.
  func add(_ bytes: UnsafeRawBufferPointer) {
    guard disorder == nil else { return }
    unsafe reader?.push(bytes)
    checkLines()
  }

  private func checkLines() {
    // Pushed bytes cause no error.
    while disorder == nil, let line = try? reader?.next() { compare(line) }
  }

  private func compare(_ line: TimeReader.Line) {
    guard var place = line.place else { return }
    place.frame = frame
    compare(place)
  }

  private func compare(_ next: TimePlace) {
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
    return disorder.flatMap { disorder(amongGoodRecordsOr: $0) }
  }

  /// Reads the range again, and compares the times of good records only.
  ///
  /// - Parameter suspected: The result if the file cannot be read any more.
  private func disorder(amongGoodRecordsOr suspected: TimeDisorder) -> TimeDisorder? {
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
