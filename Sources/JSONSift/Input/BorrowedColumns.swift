/// The texts of the values in some records, by column. Valid during the call that passes them.
///
/// The module JSONSiftArrow converts one column after another, each in a loop of its own.
@safe package struct BorrowedColumns: ~Copyable {
  /// The range of a text in the bytes; empty if the record has no such value.
  package struct Extent: BitwiseCopyable {
    package let start: UInt32
    package let count: UInt32
  }

  /// The extents of the first column by row, then those of the second column, and so on. A column has `stride` extents.
  ///
  /// Worth it: with an array, filling rows of Arrow with eight columns of the log of Scripts/make-log takes 2 % more
  /// instructions (callgrind).
  private var extents: RawMemory
  private var stride = 0
  private let maxRows: Int
  private let maxColumns: Int
  /// The bytes that contain the texts. SAFETY: the scope of the call that passes the columns bounds their use.
  package private(set) var bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// By row: the number of the record's line.
  private var lines = PlainVector<Int>()
  package private(set) var rowCount = 0
  package private(set) var columnCount: Int
  /// The length of all texts.
  package private(set) var textBytes = 0

  /// The maximum number of bytes that contain the texts.
  static var maxBytes: Int { 1 << 31 }

  init(columns: Int, maxRows: Int) {
    self.maxRows = maxRows
    maxColumns = columns
    columnCount = columns
    unsafe bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    extents = RawMemory(capacity: columns * maxRows * MemoryLayout<Extent>.stride)
  }

  // MARK: Filling

  /// Begins rows without values.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that contain the texts; only the first ``maxBytes`` are used.
  ///   - offset: The offset of the bytes in the input.
  ///   - line: The number of the line of the first record; the others follow it.
  ///   - rows: The number of records.
  mutating func begin(_ bytes: UnsafeRawBufferPointer, at offset: Int, line: Int, rows: Int) {
    precondition(rows >= 0 && rows <= maxRows)
    unsafe self.bytes = UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, Self.maxBytes)])
    self.offset = offset
    rowCount = rows
    columnCount = maxColumns
    textBytes = 0
    lines.removeAll()
    for row in 0..<rows { lines.append(line &+ row) }
    stride = rows
    let size = maxColumns * stride * MemoryLayout<Extent>.stride
    unsafe extents.base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
  }

  mutating func set(_ range: Range<Int>, column: Int, row: Int) {
    precondition(column >= 0 && column < maxColumns && row >= 0 && row < rowCount)
    precondition(range.lowerBound >= 0 && range.upperBound <= (unsafe bytes.count))
    textBytes &+= range.count
    let extent = Extent(
      start: UInt32(truncatingIfNeeded: range.lowerBound), count: UInt32(truncatingIfNeeded: range.count))
    // SAFETY: the memory has room for all columns of `maxRows` rows.
    unsafe extents.base.storeBytes(
      of: extent, toByteOffset: (column &* stride &+ row) &* MemoryLayout<Extent>.stride, as: Extent.self)
  }

  /// Copies the values of a column to another one.
  mutating func copy(column: Int, to other: Int) {
    for row in 0..<rowCount {
      let extent = self[column, row]
      set(Int(extent.start)..<(Int(extent.start) + Int(extent.count)), column: other, row: row)
    }
  }

  /// Removes the rows for which `isKept` returns false.
  mutating func keepRows(_ isKept: (borrowing BorrowedColumns, Int) -> Bool) {
    var kept = 0
    for row in 0..<rowCount where isKept(self, row) {
      if kept < row {
        lines[kept] = lines[row]
        for column in 0..<maxColumns {
          let extent = self[column, row]
          set(Int(extent.start)..<(Int(extent.start) + Int(extent.count)), column: column, row: kept)
        }
      }
      kept += 1
    }
    rowCount = kept
  }

  mutating func dropLastColumns(_ count: Int) { columnCount = max(columnCount - count, 0) }

  // MARK: Reading

  private subscript(_ column: Int, _ row: Int) -> Extent {
    precondition(column >= 0 && column < maxColumns && row >= 0 && row < rowCount)
    // SAFETY: as in `set`.
    return unsafe extents.base.load(
      fromByteOffset: (column &* stride &+ row) &* MemoryLayout<Extent>.stride, as: Extent.self)
  }

  /// The texts of a column. SAFETY: each extent is inside ``bytes``, as `set` has verified.
  package func withExtents<Result>(ofColumn column: Int, _ body: (UnsafeBufferPointer<Extent>) -> Result) -> Result {
    precondition(column >= 0 && column < maxColumns)
    let start = unsafe (extents.base + column * stride * MemoryLayout<Extent>.stride)
      .assumingMemoryBound(to: Extent.self)
    return unsafe body(UnsafeBufferPointer(start: start, count: rowCount))
  }

  /// Returns the text of a value, or `nil` if the record has no such value.
  package func text(column: Int, row: Int) -> UnsafeRawBufferPointer? {
    let extent = self[column, row]
    guard extent.count > 0 else { return nil }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[Int(extent.start)..<(Int(extent.start) + Int(extent.count))])
  }

  /// Returns the number of the line of a record, and the offset of one of its values in the input.
  package func location(column: Int, row: Int) -> (line: Int, byteOffset: Int) {
    (lines[row], offset + Int(self[column, row].start))
  }
}
