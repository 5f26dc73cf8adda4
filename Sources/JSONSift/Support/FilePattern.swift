#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The name of files with wildcards, as shells write them: `*` is any text, `?` a character, `[a-z]` one of several, all inside
/// the name of a file; `**` is any number of folders. A backslash takes the special meaning from the next character.
///
/// As in a shell, a wildcard at the start of a name does not match a dot. Links to folders are followed, but not by `**`.
package struct FilePattern {
  /// The parts between slashes. The path begins with a slash if the first one is empty.
  private let parts: [[UInt8]]

  package init(_ text: [UInt8]) {
    parts = text.split(separator: ASCII.slash, omittingEmptySubsequences: false).map { Array($0) }
  }

  /// Whether there is a wildcard. Otherwise the pattern is a name.
  package var hasWildcards: Bool { parts.contains { Self.isWild($0) } }

  private static func isWild(_ part: [UInt8]) -> Bool { part.contains { "*?[".utf8.contains($0) } }

  /// Returns the files, and other things but folders, with such a name, in the order of their bytes, each once.
  package func files() -> [[UInt8]] {
    var found: [[UInt8]] = []
    search(parts[...], in: [], &found)
    found.sort { $0.lexicographicallyPrecedes($1) }
    var last: [UInt8]?
    return found.filter { path in
      defer { last = path }
      return path != last
    }
  }

  /// Adds the files below a folder that match parts. An empty folder is that of the process; other ones end with a slash.
  private func search(_ parts: ArraySlice<[UInt8]>, in folder: [UInt8], _ found: inout [[UInt8]]) {
    guard let part = parts.first else { return }
    let rest = parts.dropFirst()
    if part == Array("**".utf8) {
      // No folder at all, or one more.
      search(rest.isEmpty ? [[ASCII.star]] : rest, in: folder, &found)
      for entry in System.entries(of: folder) where entry.isFolder && entry.name.first != ASCII.dot {
        search(parts, in: folder + entry.name + [ASCII.slash], &found)
      }
      return
    }
    guard Self.isWild(part) else {
      let path = folder + Self.plain(part)
      if !rest.isEmpty { return search(rest, in: path + [ASCII.slash], &found) }
      if !part.isEmpty { add(path, &found) }
      return
    }
    for entry in System.entries(of: folder) where Self.matches(entry.name[...], part[...], isStart: true) {
      let path = folder + entry.name
      if rest.isEmpty { add(path, &found) } else { search(rest, in: path + [ASCII.slash], &found) }
    }
  }

  private func add(_ path: [UInt8], _ found: inout [[UInt8]]) {
    if let status = File.status(at: path), status.kind != .folder { found.append(path) }
  }

  /// Returns a name without its backslashes.
  private static func plain(_ part: [UInt8]) -> [UInt8] {
    var name: [UInt8] = []
    var rest = part[...]
    while let byte = rest.popFirst() { name.append(byte == ASCII.backslash ? rest.popFirst() ?? byte : byte) }
    return name
  }

  /// Returns whether a name matches. Each star is tried at later places only until the next one: the time is bounded by the
  /// product of both lengths.
  private static func matches(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>, isStart: Bool) -> Bool {
    if isStart, name.first == ASCII.dot, pattern.first != ASCII.dot { return false }
    var (name, pattern) = (name, pattern)
    var star: (name: ArraySlice<UInt8>, pattern: ArraySlice<UInt8>)?
    while true {
      if pattern.first == ASCII.star {
        pattern = pattern.dropFirst()
        star = (name, pattern)
      } else if name.isEmpty, pattern.isEmpty {
        return true
      } else if let after = step(name, pattern) {
        (name, pattern) = after
      } else if let last = star, !last.name.isEmpty {
        (name, pattern) = (last.name.dropFirst(), last.pattern)
        star = (name, pattern)
      } else {
        return false
      }
    }
  }

  /// Matches one character, which is a byte unless it is UTF-8. Returns what is left.
  private static func step(
    _ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>
  ) -> (ArraySlice<UInt8>, ArraySlice<UInt8>)? {
    guard let byte = name.first, let sign = pattern.first else { return nil }
    switch sign {
    case UInt8(ascii: "?"):
      let length = byte < 0xC0 ? 1 : 1 + name.dropFirst().prefix(3).prefix { 0x80...0xBF ~= $0 }.count
      return (name.dropFirst(length), pattern.dropFirst())
    case ASCII.openBracket:
      guard let (isMember, rest) = set(pattern.dropFirst(), byte) else { break }
      return isMember ? (name.dropFirst(), rest) : nil
    case ASCII.backslash:
      if let escaped = pattern.dropFirst().first {
        return escaped == byte ? (name.dropFirst(), pattern.dropFirst(2)) : nil
      }
    default: break
    }
    return sign == byte ? (name.dropFirst(), pattern.dropFirst()) : nil
  }

  /// Returns whether a byte is in the set that begins after its bracket, and the pattern after it; `nil` if the set has no end,
  /// so that the bracket is an ordinary character.
  private static func set(_ pattern: ArraySlice<UInt8>, _ byte: UInt8) -> (Bool, ArraySlice<UInt8>)? {
    var rest = pattern
    let isOpposite = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
    if isOpposite { rest = rest.dropFirst() }
    var isFound = false
    var isFirst = true
    while let low = rest.popFirst() {
      if low == ASCII.closeBracket, !isFirst { return (isFound != isOpposite, rest) }
      isFirst = false
      if rest.first == ASCII.minus, let high = rest.dropFirst().first, high != ASCII.closeBracket {
        rest = rest.dropFirst(2)
        isFound = isFound || low <= byte && byte <= high
      } else {
        isFound = isFound || low == byte
      }
    }
    return nil
  }
}

extension System {
  /// Returns what is in a folder, without `.` and `..`; nothing if it cannot be read. An empty path is the folder of the process.
  fileprivate static func entries(of folder: [UInt8]) -> [FolderEntry] {
    of(folder).entries(of: folder.isEmpty ? [ASCII.dot] : folder)
  }
}

/// The name of something in a folder, and whether it is a folder, but not a link to one.
package struct FolderEntry: Sendable {
  package let name: [UInt8]
  package let isFolder: Bool

  package init(_ name: [UInt8], isFolder: Bool) { (self.name, self.isFolder) = (name, isFolder) }
}
