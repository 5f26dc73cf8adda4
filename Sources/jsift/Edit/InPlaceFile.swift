import ArgumentParser
import JSONSift

/// The file that `--in-place` replaces.
enum InPlaceFile {
  /// Makes the input also the output, which replaces it when the run succeeds.
  ///
  /// The new file is private until it has the owner and the permissions of the old one. A file that changes while it is read is
  /// an error, because what its writer appends would be lost, and so is a file that loses its name, as in a rotation of logs.
  ///
  /// - Parameters:
  ///   - isPart: Whether only a part of the file is read.
  ///   - writes: Whether the file is replaced at all.
  static func open(_ files: inout [InputFile], isPart: Bool, writes: Bool) throws {
    guard files.count == 1, let path = files[0].path else { throw failure("--in-place: expected one named file") }
    let name = files[0].displayName
    func refuse(_ reason: String) -> ExitCode { failure("--in-place: \(name): expected \(reason)") }
    guard !isPart else { throw refuse("the whole file, found a part of it") }
    var status = stat()
    guard
      unsafe (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer({
        guard let base = $0.baseAddress else { return false }
        return unsafe stat(base, &status) == 0
      }), let known = File.status(at: path)
    else { throw failure("\(name): \(File.Failure(number: errno).reason)") }
    guard known.kind == .regular else { throw refuse("a regular file") }
    guard status.st_nlink == 1 else { throw refuse("a file with one name, found \(status.st_nlink) links to it") }
    guard try !isCompressed(path, name) else { throw refuse("a file that is not compressed") }
    guard writes else { return }
    // What the caller expects may be less exact than the time of the file. If it differs, reading reports that.
    let given = files[0].expectation
    let expectation = FileExpectation(
      size: given?.size ?? known.size,
      modified: given?.modified.flatMap { $0.matches(known.modified) ? nil : $0 } ?? known.modified)
    files[0].expectation = expectation
    do throws(File.Failure) {
      let output = try OutputFile(path, atMost: 0o600)
      unsafe Output.standard.file = output
      let descriptor = output.descriptor
      guard fchown(descriptor, status.st_uid, status.st_gid) == 0, fchmod(descriptor, status.st_mode & 0o7777) == 0
      else { throw File.Failure(number: errno) }
    } catch {
      unsafe Output.standard.file?.discard()
      throw failure("\(name): \(error.reason)")
    }
    let file = files[0]
    unsafe Output.standard.mayReplace = {
      do throws(JSONError) {
        try expectation.check()
      } catch {
        ErrorReport.write(error, file: file)
        return false
      }
      guard expectation.isRead(at: path) else {
        ErrorReport.write("\(name): this is now the name of another file, or of none")
        return false
      }
      // The index, also of the name of a symbolic link, describes the old text.
      removeIndex(of: path)
      if let target = unsafe Output.standard.file?.target { removeIndex(of: target) }
      return true
    }
  }

  private static func removeIndex(of path: [UInt8]) {
    unsafe (IndexOption.path(of: path).map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
      if let name = $0.baseAddress { _ = unsafe unlink(name) }
    }
  }

  private static func isCompressed(_ path: [UInt8], _ name: String) throws -> Bool {
    do throws(JSONError) {
      var reader = try ReadWindow(.path(bytes: path), readBytes: 64)
      do throws(JSONError) { _ = try reader.fill() } catch { return error.code == .compressedInput }
      return unsafe CompressedFormat(of: reader.bytes) != nil
    } catch {
      throw failure("\(name): \(error.message)")
    }
  }
}
