extension JSONRecordStep {
  /// The value at a path of each record is a string that holds JSON: that JSON is the record.
  ///
  /// ```swift
  /// var options = JSONRecordOptions()
  /// options.steps = [.unwrap("$.log")]
  /// ```
  ///
  /// A container at the path is the record as it is. A string that begins with `{` or `[` and is no JSON is a bad record. In any
  /// other record there is no inner one; `otherwise` says what that means.
  ///
  /// An error inside has the line of the outer record, and the byte at which the escape begins that means the wrong byte. A bad
  /// record holds the outer line.
  ///
  /// - Parameters:
  ///   - path: A path that selects at most one value in each record.
  ///   - otherwise: What happens to a record in which there is none.
  public static func unwrap(_ path: JSONPath, otherwise: Otherwise = .skip) -> JSONRecordStep {
    JSONRecordStep(.unwrap(path, otherwise), open)
  }

  /// The elements or members of the containers that a path selects are the records: in one document of any size, or in each
  /// record of a log.
  ///
  /// ```swift
  /// var options = JSONRecordOptions(framing: .automatic)
  /// options.steps = [.each("$.resourceLogs[*].scopeLogs[*].logRecords")]
  /// ```
  ///
  /// After an error in one document reading ends.
  ///
  /// - Parameter path: A path. It may select many containers.
  public static func each(_ path: JSONPath) -> JSONRecordStep { JSONRecordStep(.each(path), open) }

  private static let open: Open = { (step, source, options, checkpoint) throws(JSONError) in
    try NestedText(step, source, options, checkpoint)
  }
}
