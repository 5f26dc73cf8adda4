/// The size and the modification time that a file must have when it is opened and after it was read.
///
/// Each descriptor stays open until this object is released, so the last check applies to the file that was read, even if
/// another file now has its name. Readers borrow the descriptors, so the object must outlive them.
package final class FileExpectation: Sendable {
  package let size: Int?
  package let modified: FileTime?
  private let opened = Lock<[Int32]>([])

  package init(size: Int?, modified: FileTime?) {
    self.size = size
    self.modified = modified
  }

  deinit {
    for descriptor in opened.withLock({ $0 }) { _ = System.close(descriptor) }
  }

  /// Opens the file. Returns the descriptor, which belongs to this object, and the size of the file.
  func open(_ path: [UInt8]) throws(JSONError) -> (descriptor: Int32, size: Int) {
    let file = try File.reading(path)
    let size = try check(file.status, isAfterReading: false)
    let descriptor = file.release()
    opened.withLock { $0.append(descriptor) }
    return (descriptor, size)
  }

  /// Checks all opened files again, after the last read.
  ///
  /// - Throws: ``JSONError/Code/unreadable`` if a file has changed.
  package func check() throws(JSONError) {
    for descriptor in opened.withLock({ $0 }) {
      _ = try check(File(borrowing: descriptor).status, isAfterReading: true)
    }
  }

  /// Returns whether a path is still the name of the file that was read.
  package func isRead(at path: [UInt8]) -> Bool {
    guard let named = File.status(at: path) else { return false }
    return opened.withLock {
      !$0.isEmpty && $0.allSatisfy { File(borrowing: $0).status?.isSameFile(as: named) == true }
    }
  }

  private func check(_ status: FileStatus?, isAfterReading: Bool) throws(JSONError) -> Int {
    guard let status, status.kind == .regular else { throw .notRegular }
    if let size, status.size != size {
      throw JSONError(
        .unreadable, at: 0, .otherFile(.size(found: status.size, expected: size, isAfterReading: isAfterReading)))
    }
    if let modified, !modified.matches(status.modified) {
      let difference = JSONError.FileDifference.time(
        found: status.modified, expected: modified, isAfterReading: isAfterReading)
      throw JSONError(.unreadable, at: 0, .otherFile(difference))
    }
    return status.size
  }
}

extension File {
  /// Opens an input. Does not wait for a process that writes to a FIFO.
  ///
  /// - Throws: ``JSONError/Code/unreadable``.
  package static func reading(_ path: [UInt8]) throws(JSONError) -> File {
    try File.Failure.converting(try File(pathWithoutWaiting: path)) {
      JSONError(.unreadable, at: 0, system: $0.number).naming(String(decoding: path, as: UTF8.self))
    }
  }
}
