import CFuzzer
import Fuzzing
import JSONSift

/// Compares the values that a path selects from a stream and in memory. The input is a line with a path, followed by a text.
@_cdecl("FuzzPath_main")
func main(_ count: CInt, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
  var (count, words) = (count, words)
  return LLVMFuzzerRunDriver(&count, &words) { bytes, count in
    var input = Input(UnsafeBufferPointer(start: bytes, count: count))
    let options = input.options()
    let isFast = input.choice() & 1 == 1
    let size = input.choice()
    guard let path = try? JSONPath(String(decoding: input.line(), as: UTF8.self)) else { return 0 }
    guard path.streaming.form != .rejected else { return 0 }
    compare(path, input.text, size, isFast, options)
    return 0
  }
}

/// The source texts of the values, and the error that ended the reading.
struct Found: Equatable {
  var values: [[UInt8]] = []
  var error: JSONError?
}

func compare(_ path: JSONPath, _ text: [UInt8], _ size: Int, _ isFast: Bool, _ options: JSONOptions) {
  var options = options
  // The positions of limit errors depend on how many bytes are buffered.
  options.limits.recordBytes = JSONLimits().recordBytes
  var inMemory = Found()
  do throws(JSONError) {
    let json = try JSON(parsing: text, options: options)
    inMemory.values = try json.query(path, limits: options.limits).map { $0.rawBytes }
  } catch {
    inMemory.error = error
  }
  if inMemory.error?.code == .queryLimit { return }
  options.fastForward = isFast && inMemory.error == nil
  let pieces = stride(from: 0, to: text.count, by: max(size, 1)).map {
    Array(text[$0..<min($0 + max(size, 1), text.count)])
  }
  var streamed = Found()
  do throws(JSONError) {
    var matches = try JSONMatches(of: path, in: size == 0 ? .bytes(text) : .chunks(pieces), options: options)
    while let match = try matches.next() { streamed.values.append(match.value.rawBytes) }
  } catch {
    streamed.error = error
  }
  if streamed.error?.code == .queryLimit { return }
  if inMemory.error == nil {
    if streamed != inMemory { differs("\(path)", streamed, inMemory) }
  } else if let error = streamed.error, error != inMemory.error {
    differs("\(path)", error, inMemory.error as Any)
  }
}
