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

  /// The parts of a line that a container runtime has divided are one record, without what the runtime writes before it
  /// (``Runtime/cri``), or in the object of the first part (``Runtime/docker``).
  ///
  /// ```swift
  /// var options = JSONRecordOptions()
  /// options.steps = [.join(.docker), .unwrap("$.log")]
  /// ```
  ///
  /// The parts of several streams may alternate. A record has the line of its first part, and its range extends to the last
  /// one. A record whose last part is missing is a bad one. A line of another form is a record as it is. The records of a range
  /// (``JSONRecordOptions/range``) cannot be put together.
  public static func join(_ runtime: Runtime) -> JSONRecordStep {
    JSONRecordStep(.join(runtime)) { (_, source, options, checkpoint) throws(JSONError) in
      try JoinedText(RuntimeLines(runtime, options.reading.limits), source, options, checkpoint)
    }
  }

  /// The records are arrays and objects that may extend over several lines of a log, between lines of other text. Those are no
  /// records.
  ///
  /// A value that is unfinished at the end of its line goes on in the next one while the text can be JSON. If it is never
  /// finished, its first line is a bad record, and reading continues at the next line. With
  /// ``JSONRecordOptions/skipsPrefix`` the text before a value is also left out on its further lines, where it has the same form
  /// with other digits. The cost is proportional to the length of the text. A line feed inside of a record becomes a carriage
  /// return.
  ///
  /// - Parameter maxLines: The maximum number of lines of a record.
  public static func mixed(maxLines: Int = 1000) -> JSONRecordStep {
    JSONRecordStep(.mixed(maxLines: max(maxLines, 1))) { (step, source, options, checkpoint) throws(JSONError) in
      try JoinedText(MixedLines(maxLines: max(maxLines, 1), step.missing, options), source, options, checkpoint)
    }
  }

  private static let open: Open = { (step, source, options, checkpoint) throws(JSONError) in
    try NestedText(step, source, options, checkpoint)
  }
}
