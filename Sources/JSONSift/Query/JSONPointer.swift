/// A literal that is not a path or pointer, and the reason.
struct RejectedLiteral: Sendable, Hashable {
  let text: String
  let error: JSONError
}

/// A JSON Pointer (RFC 6901): the member names and element indexes that lead from a value to a value inside it.
///
/// ```swift
/// json[pointer: "/users/3/name"] = "Ada"
/// let pointer = try JSONPointer(text)
/// print(json[pointer: pointer.appending("a/b")])
/// ```
///
/// Each token follows a `/`. Inside a token, `~1` means `/` and `~0` means `~`. The empty pointer refers to the whole value;
/// `/` refers to its member with the empty name. Each pointer has exactly one spelling, so ``description`` returns the text
/// that was parsed.
///
/// Initializing from a literal cannot throw. An invalid literal keeps its ``error`` and refers to no value: reading returns
/// a missing value, and setting does nothing. `JSONPointer("/a")` is such a literal too and needs no `try`; only a text that
/// is not a literal goes through the throwing initializer.
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  let names: [MemberName]
  private let rejected: RejectedLiteral?

  init(names: [MemberName]) { self.init(names: names, rejected: nil) }

  private init(names: [MemberName], rejected: RejectedLiteral?) {
    self.names = names
    self.rejected = rejected
  }

  /// Parses the text of a pointer, such as `/users/3/name`.
  ///
  /// - Throws: ``JSONError`` with code ``JSONError/Code/invalidPath``; its offset counts bytes of `text`.
  public init(_ text: String) throws(JSONError) { self.init(names: try Self.names(of: Array(text.utf8))) }

  /// Creates a pointer from unescaped tokens: `~` and `/` in them have no special meaning.
  public init(tokens: [String]) { self.init(names: tokens.map { MemberName($0) }) }

  /// Creates a pointer from a literal. If the literal is invalid, ``error`` contains the reason.
  public init(stringLiteral text: String) {
    do throws(JSONError) {
      try self.init(text)
    } catch {
      self.init(names: [], rejected: RejectedLiteral(text: text, error: error))
    }
  }

  /// The reason why the literal is not a pointer; `nil` for a valid pointer.
  public var error: JSONError? { rejected?.error }

  /// The names and indexes without escapes, outermost first. Empty for an invalid literal.
  public var tokens: [String] { names.map { $0.string } }

  /// The text of the pointer; for an invalid literal, the literal.
  public var description: String {
    if let rejected { return rejected.text }
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

  /// Returns the pointer to a member of the referenced value. `name` is not escaped: `~` and `/` have no special meaning in
  /// it. An invalid literal is returned unchanged.
  public func appending(_ name: String) -> JSONPointer {
    error == nil ? JSONPointer(names: names + [MemberName(name)]) : self
  }

  /// Returns the pointer to an element of the referenced value. A negative index matches no element.
  public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

  /// The pointer to the container of the referenced value; `nil` for the empty pointer, which refers to the whole value.
  public var parent: JSONPointer? { names.isEmpty ? nil : JSONPointer(names: names.dropLast()) }

  /// Returns the tokens of a text, without escapes.
  static func names(of text: [UInt8]) throws(JSONError) -> [MemberName] {
    guard let first = text.first else { return [] }
    guard first == ASCII.slash else {
      throw failure(
        first == ASCII.hash
          ? "'/' at the start ('#' begins a URI fragment: JSONPointer(fragment:))" : "'/' at the start",
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
