import ArgumentParser
import JSONSift

/// The file that `--in-place` replaces.
enum InPlaceFile {
  /// Makes the input also the output, which replaces it when the run succeeds.
  ///
  /// The new file is private until it has the owner and the permissions of the old one. A file that changes while it is read is
  /// an error: what its writer appends would be lost.
  static func open(_ files: inout [InputFile], isPart: Bool) throws {
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
    if files[0].expectation == nil {
      files[0].expectation = FileExpectation(size: known.size, modified: known.modified)
    }
    do throws(File.Failure) {
      let output = try OutputFile(path, atMost: 0o600)
      unsafe Output.standard.file = output
      let descriptor = output.descriptor
      guard fchown(descriptor, status.st_uid, status.st_gid) == 0, fchmod(descriptor, status.st_mode & 0o7777) == 0
      else {
        throw File.Failure(number: errno)
      }
    } catch {
      unsafe Output.standard.file?.discard()
      throw failure("\(name): \(error.reason)")
    }
    // The index describes the old text.
    let index = IndexOption.path(of: path)
    _ = unsafe (index.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { name in
      unsafe name.baseAddress.map { unsafe unlink($0) }
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
