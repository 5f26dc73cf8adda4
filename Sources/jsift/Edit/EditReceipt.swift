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
  /// The permissions that the file has at most, because its paths have names of the input.
  private let permissions: UInt32
  private var text: [UInt8] = []

  /// - Parameters:
  ///   - argument: The file; `nil` if no receipt is requested.
  ///   - files: The files that will be read.
  ///   - others: Other output files.
  ///   - limit: The permissions that the file has at most.
  init(_ argument: String?, reading files: [InputFile], others: [String?], atMost limit: UInt32) throws {
    isRequested = argument != nil
    permissions = limit
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
    text = Array("{\"rules\":".utf8)
    text.append(list: receipt.entries) { entry, text in
      var rule: [UInt8] = []
      rule.append(quoting: entry.rule)
      text.append(object: [("rule", .json(rule)), ("changed", Cell(entry.count)), ("selected", Cell(entry.selected))])
    }
    text += ",\"unmatched\":".utf8
    text.append(list: receipt.unmatched) { $1.append(quoting: $0) }
    text += ",\"strings\":".utf8
    text.append(list: receipt.strings) { $1.append(quoting: $0) }
    text += ",\"copied\":".utf8
    text.append(object: [
      ("unselectedRecords", Cell(receipt.unselectedRecords)), ("badRecords", Cell(receipt.keptBadRecords)),
      ("prefixes", Cell(receipt.keptPrefixes)),
    ])
    text += "}\n".utf8
    unsafe Self.complete = self
  }

  /// Writes the receipt of a run that ends with `status`, unless it is the error status. Returns the exit status to use.
  static func write(after status: Int32) -> Int32 {
    guard status != Status.failed, let receipt = unsafe complete else { return status }
    return OutputFile.write(receipt.text, to: receipt.path, atMost: receipt.permissions, isSecond: true)
      ? status : Status.failed
  }
}
