import JSONSift
import TestSupport
import Testing

@Suite(.enabled(if: ThirdPartyData.has("corpora"), "\(ThirdPartyData.absence)")) struct CorpusValueTests {
  /// Each value is parsed again once and compared without its children, which are compared in their own iterations.
  @Test func `the bytes of every value in every corpus parse to that value`() throws {
    var failures: [String] = []
    var count = 0
    for file in try ThirdPartyData.files(in: "corpora") {
      let bytes = try file.bytes()
      var parser = JSONParser()
      var open = [try JSON(parsing: bytes)]
      while let value = open.popLast() {
        count += 1
        for (_, child) in value { open.append(child) }
        guard let range = value.byteRange else {
          failures.append("\(file): a value without a place")
          continue
        }
        let again = try parser.parse(bytes[range])
        if let difference = shallowDifference(between: value, and: again) {
          failures.append("\(file) at \(range): \(difference)")
        }
        if again.byteRange != 0..<range.count { failures.append("\(file) at \(range): white space around a value") }
      }
    }
    #expect(count > 200_000)
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test func `a mapped corpus has the same values as a copied one`() throws {
    for file in try ThirdPartyData.files(in: "corpora") {
      #if DEBUG
        guard try file.bytes().count < 150_000 else { continue }
      #endif
      let copied = try JSON(contentsOf: file.path)
      let mapped = try JSON(contentsOf: file.path, loading: .mapped)
      #expect(difference(between: copied, and: mapped) == nil, "\(file)")
    }
  }
}
