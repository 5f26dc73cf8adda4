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
/// Unchecked `Sendable`: one thread at a time adds bytes, which ``InputTally`` requires, and the check is finished when all
/// bytes have been read.
package final class TimeOrderCheck: @unchecked Sendable {
  private let window: JSONTimeWindow
  private let options: JSONRecordOptions
  private let slack: Int128
  /// The latest time of the records before the next one that is read.
  private var latest: TimePlace?
  /// The earliest time after the records that are read.
  private let following: TimePlace?
  private let frame: Int?
  private var reader: TimeReader?
  private var disorder: TimeDisorder?

  /// - Parameters:
  ///   - preceding: The latest known time before the bytes that will be read.
  ///   - following: The earliest known time after them.
  ///   - frame: The frame from which the reader's offsets count; see ``TimePlace/frame``.
  init(
    _ window: JSONTimeWindow, _ options: JSONRecordOptions, slack: Int128, after preceding: TimePlace?,
    before following: TimePlace?, frame: Int?
  ) {
    self.window = window
    self.options = options
    self.slack = slack
    latest = preceding
    self.following = following
    self.frame = frame
  }

  /// Begins at an offset of the input, at which a record begins.
  func begin(at offset: Int) {
    do throws(JSONError) {
      reader = try TimeReader(window, options, at: offset)
    } catch {
      // The path has been checked, and there is no other error before the first byte.
      reader = nil
    }
  }

  /// Checks the next bytes.
  func add(_ bytes: UnsafeRawBufferPointer) {
    guard disorder == nil else { return }
    unsafe reader?.push(bytes)
    checkLines()
  }

  private func checkLines() {
    // Pushed bytes cause no error.
    while let line = try? reader?.next() {
      guard let time = line.time else { continue }
      compare(TimePlace(time: time, byteOffset: line.range.lowerBound, frame: frame))
      if disorder != nil { return }
    }
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
    if disorder == nil {
      reader?.close()
      checkLines()
    }
    reader = nil
    if disorder == nil, let following { compare(following) }
    return disorder
  }
}
