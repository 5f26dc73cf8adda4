/// A pointer of RFC 6901: the names and indexes that lead from a value to one inside it.
///
/// ```swift
/// json[pointer: "/users/3/name"] = "Ada"
/// let pointer = try JSONPointer(textOfSomebody)
/// print(json[pointer: pointer.appending("a/b")])
/// ```
///
/// Each token stands behind a `/`; inside it `~1` is a `/` and `~0` is a `~`. The empty pointer is the whole value, and `/`
/// is its member with the empty name. There is one text for each pointer, so ``description`` gives back what was read.
///
/// A literal cannot throw. One that is no pointer keeps its ``error``; it points at nothing: what it gets is missing, and
/// setting with it does nothing. Beware that `JSONPointer("/a")` is such a literal too, and the compiler says that it throws
/// nothing; only a text that is not spelled out there goes through the initializer that does.
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// A literal that is no pointer.
  private struct Refused: Sendable, Hashable {
    let text: String
    let error: JSONError
  }

  let names: [MemberName]
  private let refused: Refused?

  init(names: [MemberName]) { self.init(names: names, refused: nil) }

  private init(names: [MemberName], refused: Refused?) {
    self.names = names
    self.refused = refused
  }

  /// Reads the text of a pointer: `/users/3/name`.
  ///
  /// - Throws: ``JSONError`` with code ``JSONError/Code/invalidPath``; its offset counts bytes of `text`.
  public init(_ text: String) throws(JSONError) {
    self.init(names: try Self.names(of: Array(text.utf8)))
  }

  /// A pointer with these tokens, as they are: nothing is escaped in them.
  public init(tokens: [String]) { self.init(names: tokens.map { MemberName($0) }) }

  /// A pointer that stands in the source. If it is none, ``error`` says why.
  public init(stringLiteral text: String) {
    do throws(JSONError) {
      try self.init(text)
    } catch {
      self.init(names: [], refused: Refused(text: text, error: error))
    }
  }

  /// Why a literal is no pointer. `nil` in every other pointer.
  public var error: JSONError? { refused?.error }

  /// Names and indexes from the outermost on, without escapes. Of a literal that is no pointer there are none.
  public var tokens: [String] { names.map { $0.string } }

  /// The text of the pointer. Of a literal that is no pointer, the literal.
  public var description: String {
    if let refused { return refused.text }
    var text: [UInt8] = []
    for name in names {
      text.append(ASCII.slash)
      for byte in name.string.utf8 {
        switch byte {
        case ASCII.tilde: text += [ASCII.tilde, ASCII.zero]
        case ASCII.slash: text += [ASCII.tilde, ASCII.zero + 1]
        default: text.append(byte)
        }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The pointer to a member of what this one points at. The name is taken as it is: nothing is escaped in it.
  public func appending(_ name: String) -> JSONPointer {
    error == nil ? JSONPointer(names: names + [MemberName(name)]) : self
  }

  /// The pointer to an element of what this one points at. There is none below 0.
  public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

  /// The pointer to the container of what this one points at. `nil` if that is the whole value.
  public var parent: JSONPointer? { names.isEmpty ? nil : JSONPointer(names: names.dropLast()) }

  /// The tokens of a text.
  static func names(of text: [UInt8]) throws(JSONError) -> [MemberName] {
    guard let first = text.first else { return [] }
    guard first == ASCII.slash else {
      throw failure(
        first == ASCII.hash
          ? "'/' at the start; with '#' it is a fragment of a URI: JSONPointer(fragment:)" : "'/' at the start",
        in: text, at: 0)
    }
    var names: [MemberName] = []
    var name: [UInt8] = []
    var index = 1
    while index < text.count {
      switch text[index] {
      case ASCII.slash:
        names.append(MemberName(String(decoding: name, as: UTF8.self)))
        name.removeAll(keepingCapacity: true)
      case ASCII.tilde:
        index += 1
        switch index < text.count ? text[index] : 0 {
        case ASCII.zero: name.append(ASCII.tilde)
        case ASCII.zero + 1: name.append(ASCII.slash)
        default: throw failure("'0' or '1' after '~': '~0' is '~' and '~1' is '/'", in: text, at: index)
        }
      default: name.append(text[index])
      }
      index += 1
    }
    names.append(MemberName(String(decoding: name, as: UTF8.self)))
    return names
  }

  static func failure(_ expected: String, in text: [UInt8], at index: Int) -> JSONError {
    let found = index < text.count ? JSONError.Found(byte: text[index]) : nil
    return JSONError(.invalidPath, at: index, found: found, expected: .query(expected))
  }
}
