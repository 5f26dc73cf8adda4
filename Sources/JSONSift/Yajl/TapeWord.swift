/// One parser event in 64 bits: its kind, its length, and its offset in the source.
///
///     bits 63...24   offset of the first byte (of a string: its opening quote)
///     bits 23...4    length: of a number its bytes, of a string or key its source bytes between the quotes;
///                    `longLength` means "at least that long: search for the end"; 0 for all other events
///     bits  3...0    kind
///
/// The start of an array or object is followed by one *link* word. Its low half is the index of the tape word after the
/// matching end, its high half the number of children. The link is 0 until the container is closed.
///
/// A tape word is both the event that a handler receives and an entry of a tape. So each callback only appends a tape word,
/// and consumers of events read them after libyajl has returned.
@usableFromInline package struct TapeWord: BitwiseCopyable, Sendable {
  @usableFromInline package var bits: UInt64

  @inlinable package static var longLength: Int { 0xF_FFFF }
  @inlinable package static var offsetShift: UInt64 { 24 }
  /// The mask of kind and length.
  package static let belowOffset: UInt64 = 1 << offsetShift - 1
  /// The exclusive upper bound of offsets. Offsets count from the start of a window, and no window is this long: a stream is
  /// read in windows that end within one record, a ``ChunkedParser`` splits its chunks, and a ``DocumentBuilder`` rejects a
  /// longer text. A store of copied values keeps its tape words in memory and is limited by ``JSONLimits/recordBytes``.
  static let maxOffset = 1 << 40

  // Forced inlining in this file saves 0.7 % of `fields` and 0.4 % of `columns` (Scripts/measure instructions).
  @inline(__always)
  @inlinable package init(bits: UInt64) { self.bits = bits }

  /// - Parameter length: At most `longLength`; the caller guarantees it.
  @inline(__always)
  @inlinable package init(_ kind: EventKind, at offset: Int, length: Int = 0) {
    bits =
      UInt64(truncatingIfNeeded: offset) &<< Self.offsetShift | UInt64(truncatingIfNeeded: length) &<< 4
      | UInt64(kind.rawValue)
  }

  @inlinable package var kind: EventKind { EventKind(rawValue: UInt8(truncatingIfNeeded: bits & 0xF)) }
  @inlinable package var offset: Int { Int(truncatingIfNeeded: bits &>> Self.offsetShift) }
  @inlinable package var length: Int { Int(truncatingIfNeeded: (bits &>> 4) & UInt64(Self.longLength)) }
  /// Whether the length did not fit. The end must then be searched for in the source.
  @inlinable package var isLong: Bool { length == Self.longLength }

  // Properties of a link word.
  @inlinable package var linkedIndex: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
  @inlinable package var childCount: Int { Int(truncatingIfNeeded: bits &>> 32) }

  /// The offset after the event's last byte. Not valid for a long text (``isLong``), whose end only the source shows.
  @inline(__always)
  @inlinable package var end: Int {
    switch kind {
    case .string, .escapedString, .key, .escapedKey: offset &+ length &+ 2
    case .number: offset &+ length
    case .null, .true: offset &+ 4
    case .false: offset &+ 5
    default: offset &+ 1
    }
  }
}

/// The kind of an event. A struct, not an enum: a tape is raw memory, so every value of the four bits must be representable.
@usableFromInline package struct EventKind: Hashable, BitwiseCopyable, Sendable {
  @usableFromInline package let rawValue: UInt8
  @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

  // Without this, other modules compare through a witness table.
  @inlinable package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

  @inlinable package static var null: Self { Self(rawValue: 0) }
  @inlinable package static var `true`: Self { Self(rawValue: 1) }
  @inlinable package static var `false`: Self { Self(rawValue: 2) }
  @inlinable package static var number: Self { Self(rawValue: 3) }
  @inlinable package static var string: Self { Self(rawValue: 4) }
  @inlinable package static var escapedString: Self { Self(rawValue: 5) }
  @inlinable package static var key: Self { Self(rawValue: 6) }
  @inlinable package static var escapedKey: Self { Self(rawValue: 7) }
  @inlinable package static var arrayStart: Self { Self(rawValue: 8) }
  @inlinable package static var objectStart: Self { Self(rawValue: 9) }
  @inlinable package static var arrayEnd: Self { Self(rawValue: 10) }
  @inlinable package static var objectEnd: Self { Self(rawValue: 11) }

  @inlinable package var isKey: Bool { rawValue & 0xE == 6 }
  @inlinable package var isString: Bool { rawValue & 0xE == 4 }
  @inlinable package var isText: Bool { rawValue & 0xC == 4 }
  @inlinable package var isStart: Bool { rawValue & 0xE == 8 }
  @inlinable package var isEnd: Bool { rawValue & 0xE == 10 }
  /// Whether a string or key contains a backslash. Only valid for these kinds.
  @inlinable package var isEscaped: Bool { rawValue & 1 == 1 }
}
