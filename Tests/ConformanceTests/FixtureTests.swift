import JSONSift
import TestSupport
import Testing

@Suite struct FixtureTests {
  @Test(arguments: ConformanceCase.files)
  func `every fixture case has its outcome through every entry point and every chunking`(
    file: String
  ) throws {
    let cases = try ConformanceCase.all(in: file)
    #expect(cases.count > 100)
    var failures: [String] = []
    for example in cases {
      for words in try EntryPoints.disagreements(on: example.input, expected: example.expected) {
        failures.append("\(example): \(words)")
      }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test func `every input of the fixtures occurs once`() throws {
    var seen: [[UInt8]: ConformanceCase] = [:]
    for example in try ConformanceCase.all() {
      let earlier = seen.updateValue(example, forKey: example.input)
      #expect(earlier == nil, "\(example) repeats \(String(describing: earlier))")
    }
  }

  @Test func `a reused parser gives the same results as a new one`() throws {
    var parser = JSONParser()
    var failures: [String] = []
    for example in try ConformanceCase.all() {
      // A stored value, a discarded one, and a preceding error: the parser's memory is in every state.
      let outcome: Outcome
      do throws(JSONError) {
        let json = try parser.parse(example.input[...])
        let other = try JSON(parsing: example.input)
        outcome = difference(between: json, and: other).map { .strange($0) } ?? .accepted
      } catch {
        outcome = Outcome(error)
      }
      if outcome != example.expected { failures.append("\(example): \(outcome), not \(example.expected)") }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test(arguments: [
    ("[1,%202]", "[1, 2]"), ("%(3,[)%(3,])", "[[[]]]"), ("[%(2,0,)0]", "[0,0,0]"), ("\"%C3%A9\"", "\"é\""),
    ("%()", ""), ("(1)", "(1)"), ("%(2,%29)", "))"), ("%25", "%"),
  ])
  func `the encoding of the fixtures means what their README describes`(written: String, meant: String) {
    #expect(ConformanceCase.decode(Array(written.utf8)) == Array(meant.utf8))
  }
}
