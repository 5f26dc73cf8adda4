/// How far a reader of one document has read. An error is kept until the results before it have been returned.
enum DocumentProgress {
  case reading, finished
  case failed(JSONError)

  /// Returns whether there is more to read. Throws the kept error.
  func isReading() throws(JSONError) -> Bool {
    switch self {
    case .reading: return true
    case .finished: return false
    case .failed(let error): throw error
    }
  }
}
