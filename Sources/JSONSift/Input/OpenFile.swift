/// A file that stays open, so that all readers read the same one, whatever its name refers to by then.
package final class OpenFile: Sendable {
  private let descriptor: Int32

  package init(_ file: consuming File) { descriptor = file.release() }

  /// The bytes of the file. Any number of readers can read at the same time, as long as this object exists.
  package var source: JSONSource { .file(descriptor, at: 0) }

  package var status: FileStatus? { File(borrowing: descriptor).status }

  /// Reads the bytes of a range; fewer if the file ends before.
  ///
  /// - Throws: ``JSONError/Code/unreadable``.
  func bytes(_ range: Range<Int>) throws(JSONError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    let found = unsafe bytes.withUnsafeMutableBytes {
      unsafe File.readAll(descriptor, $0, at: range.lowerBound)
    }
    switch found {
    case .success(let count): bytes.removeLast(bytes.count - count)
    case .failure(let failure): throw JSONError(.unreadable, at: range.lowerBound, system: failure.number)
    }
    return bytes
  }

  deinit { _ = System.close(descriptor) }
}
