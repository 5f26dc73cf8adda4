import JSONSift

extension FuzzTarget {
  /// Compares the values that a path selects from a stream, in memory, and in a document that the stream keeps. The input is
  /// a line with a path, followed by a text.
  static let path = FuzzTarget(name: "path") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    var options = input.options()
    // The positions of limit errors depend on how many bytes are buffered.
    options.limits.recordBytes = JSONLimits().recordBytes
    // Kept inputs have a byte here that is not used.
    _ = input.choice()
    let size = input.choice()
    let line = words(input.line())
    guard let path = try? JSONPath(line) else {
      // A diagnosis names a position in the text, whatever the text is.
      if let diagnosis = JSONPath.Diagnosis(line) { _ = diagnosis.description }
      return
    }
    try expectEqual(
      "the canonical spelling of \(line)", (try? JSONPath(path.description))?.description, path.description)
    let text = input.text
    let inMemory = selected(path, text, options)
    if inMemory.error?.code == .queryLimit { return }
    if path.streaming.form != .rejected {
      try compare(path, streamed(path, source(text, size), options, keepsDocument: false), inMemory)
    }
    let kept = streamed(path, source(text, size), options, keepsDocument: true)
    if kept.error?.code == .recordLimit { return }
    try compare(path, kept, inMemory)
  }
}

/// The source texts and locations of the values, and the error that ended the reading.
private struct Selected: Equatable {
  var values: [[UInt8]] = []
  var locations: [String] = []
  var error: JSONError?
}

private func selected(_ path: JSONPath, _ text: [UInt8], _ options: JSONOptions) -> Selected {
  var found = Selected()
  do throws(JSONError) {
    let json = try JSON(parsing: text, options: options)
    for match in try json.matches(of: path, limits: options.limits) {
      found.values.append(match.value.rawBytes)
      found.locations.append(match.location.description)
    }
  } catch {
    found.error = error
  }
  return found
}

private func streamed(
  _ path: JSONPath, _ source: JSONSource, _ options: JSONOptions, keepsDocument: Bool
) -> Selected {
  var found = Selected()
  do throws(JSONError) {
    var matches = try JSONMatches(
      of: [(path.description, path)], in: source, keepsDocument: keepsDocument, options: options)
    while let match = try matches.next() {
      found.values.append(match.value.rawBytes)
      found.locations.append(match.location.description)
    }
  } catch {
    found.error = error
  }
  return found
}

private func compare(_ path: JSONPath, _ streamed: Selected, _ inMemory: Selected) throws(Difference) {
  if streamed.error?.code == .queryLimit { return }
  if inMemory.error == nil {
    try expectEqual("\(path)", streamed, inMemory)
  } else if let error = streamed.error {
    // A stream may end before the error: see the list in Fuzz/README.md.
    if error.code != .compressedInput { try expectEqual("\(path)", error, inMemory.error) }
  }
}
