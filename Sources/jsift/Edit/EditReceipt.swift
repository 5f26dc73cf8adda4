import JSONSift

/// The counts of an edit (`--receipt`).
final class EditReceipt {
  /// The receipt to write when the output is complete, before it gets its name.
  ///
  /// SAFETY: the tool uses it on one thread.
  nonisolated(unsafe) private static var complete: EditReceipt?

  private let isRequested: Bool
  /// `nil` for standard error.
  private let path: [UInt8]?
  private var text: [UInt8] = []

  /// - Parameters:
  ///   - argument: The file; `nil` if no receipt is requested.
  ///   - files: The files that will be read.
  ///   - others: Other output files.
  init(_ argument: String?, _ edit: JSONEdit, reading files: [InputFile], others: [String?]) throws {
    isRequested = argument != nil
    guard let argument else {
      path = nil
      return
    }
    let target = try OutputFile.target(argument, of: "--receipt", reading: files)
    guard !others.contains(where: { target.isSameOutput(as: $0) }) else {
      throw failure("--receipt \(target.displayName): expected a file other than the other output files")
    }
    path = target.path
  }

  /// Stores the counts of a complete run.
  func complete(_ receipt: JSONEdit.Receipt) {
    guard isRequested else { return }
    text = Array("{\"rules\":[".utf8)
    for (index, entry) in receipt.entries.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      var rule: [UInt8] = []
      rule.append(quoting: entry.rule)
      text.append(object: [("rule", .json(rule)), ("changed", Cell(entry.count)), ("selected", Cell(entry.selected))])
    }
    text += "],\"unmatched\":[".utf8
    for (index, rule) in receipt.unmatched.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.append(quoting: rule)
    }
    text += "],\"strings\":[".utf8
    for (index, path) in receipt.strings.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.append(quoting: path)
    }
    text += "]}\n".utf8
    unsafe Self.complete = self
  }

  /// Writes the receipt of a run that ends with `status`, unless it is the error status. Returns the exit status to use.
  static func write(after status: Int32) -> Int32 {
    guard status != Status.failed, let receipt = unsafe complete else { return status }
    guard let path = receipt.path else {
      ErrorReport.put(String(decoding: receipt.text, as: UTF8.self))
      return status
    }
    do throws(File.Failure) {
      let text = receipt.text
      try OutputFile(path, isSecond: true).write { (file) throws(File.Failure) in
        try unsafe text.span.withUnsafeBytes { (bytes) throws(File.Failure) in try unsafe file.write(bytes) }
      }
      return status
    } catch {
      ErrorReport.write("\(path.printable): \(error.reason)")
      return Status.failed
    }
  }
}
