extension Collection<UInt8> {
  /// Returns the number of bytes to replace, insert or remove to change these bytes into others (Levenshtein distance).
  ///
  /// - Complexity: O(`count` × `other.count`). The caller limits the lengths.
  package func editDistance(to other: some Collection<UInt8>) -> Int {
    var row = Array(0...other.count)
    for (index, byte) in enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, expected) in other.enumerated() {
        let replaced = diagonal + (byte == expected ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[other.count]
  }
}
