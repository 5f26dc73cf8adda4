/// The files of an archive in the format ustar (POSIX.1-2001): 512 bytes of header for each file, then its bytes, filled up with
/// zeros to a multiple of 512. A block that begins with a zero byte ends the archive.
struct TarArchive {
  struct Damage: Error {
    /// The byte at which the header begins.
    let offset: Int
  }

  /// Path and bytes of each file, in the order of the archive.
  let files: [(path: String, bytes: [UInt8])]

  init(_ bytes: [UInt8]) throws {
    var files: [(path: String, bytes: [UInt8])] = []
    var offset = 0
    while offset + 512 <= bytes.count, bytes[offset] != 0 {
      let header = bytes[offset..<offset + 512]
      // The field of the checksum counts as blanks.
      let checksum = header[(offset + 148)..<(offset + 156)]
      let sum = header.reduce(0) { $0 + Int($1) } - checksum.reduce(0) { $0 + Int($1) } + 8 * 32
      guard Self.number(checksum) == sum, let size = Self.number(header[(offset + 124)..<(offset + 136)]),
        offset + 512 + size <= bytes.count
      else { throw Damage(offset: offset) }
      let name = header[offset..<offset + 100].prefix { $0 != 0 }
      // The type 0 is a file; folders need no entry.
      if header[offset + 156] == UInt8(ascii: "0") {
        files.append((String(decoding: name, as: UTF8.self), Array(bytes[offset + 512..<offset + 512 + size])))
      }
      offset += 512 + (size + 511) / 512 * 512
    }
    guard offset + 512 <= bytes.count else { throw Damage(offset: offset) }
    self.files = files
  }

  /// The value of octal digits, which a blank or a zero byte ends.
  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    Int(String(decoding: field.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }, as: UTF8.self), radix: 8)
  }
}
