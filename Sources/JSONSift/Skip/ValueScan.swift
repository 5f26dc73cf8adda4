/// Looks for the end of one value in one window after another, and judges nothing of it: strings end, brackets are
/// counted, and a number or word ends where something else begins.
struct ValueScan {
  /// How the end is told.
  enum Form { case string, container, word }

  let form: Form
  private var escaped = false
  private var container: ContainerScan

  /// - Parameter first: The byte that the value begins with. The scan goes on behind it.
  init(after first: UInt8) {
    form =
      switch first {
      case ASCII.quote: .string
      case ASCII.openBrace, ASCII.openBracket: .container
      default: .word
      }
    container = ContainerScan(isObject: first == ASCII.openBrace)
  }

  /// Looks for the end of the outermost of some open containers, of which so many are objects.
  init(ofContainers depth: Int, objects: Int) {
    form = .container
    container = ContainerScan(depth: depth, objects: objects)
  }

  /// Goes on at `start`, and returns the index behind the value, or `nil` if the window does not hold it. That of a number
  /// or word is the index of the byte that ends it.
  @inline(__always)
  mutating func end(in window: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: window[start...])
    switch form {
    case .string: return unsafe ByteScan.stringEnd(rest, escaped: &escaped).map { start &+ $0 &+ 1 }
    case .container: return unsafe container.end(in: rest).map { start &+ $0 &+ 1 }
    case .word: return unsafe rest.firstIndex { $0.endsWord }.map { start &+ $0 }
    }
  }

  /// Of a container that has ended: there are as many brackets of each kind.
  var isBalanced: Bool { form != .container || container.isBalanced }

  /// What is missing where the input ends before the value.
  var missing: Expectation {
    switch form {
    case .string: .closingQuote
    case .container: container.isInString ? .closingQuote : .endOfContainer
    case .word: .restOfValue
    }
  }
}

extension UInt8 {
  /// White space, or a byte with a meaning of its own: no number and no word goes on with it.
  @inline(__always)
  var endsWord: Bool {
    // Bit n stands for byte n, and for byte 64 + n.
    let low: UInt64 = 1 << 0x09 | 1 << 0x0A | 1 << 0x0D | 1 << 0x20 | 1 << 0x22 | 1 << 0x2C | 1 << 0x3A
    let high: UInt64 = 1 << 0x1B | 1 << 0x1D | 1 << 0x3B | 1 << 0x3D
    return (self < 64 ? low : self < 128 ? high : 0) &>> UInt64(self & 63) & 1 != 0
  }
}
