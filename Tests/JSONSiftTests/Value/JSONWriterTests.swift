import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONWriterTests {
  static let source = #" { "b" : [ 1.50 , -0 , 1e2 , "x\/y/\u00e9" ] , "a\u0062" : null , "e" : [ ] , "o" : { } } "#

  private func text(_ json: JSON, _ change: (inout JSONWriterOptions) -> Void = { _ in }) throws -> String {
    var options = JSONWriterOptions()
    change(&options)
    return String(decoding: try json.bytes(options), as: UTF8.self)
  }

  @Test func `a parsed value is copied except for white space`() throws {
    let json = try JSON(parsing: Self.source)
    #expect(try text(json) == #"{"b":[1.50,-0,1e2,"x\/y/\u00e9"],"a\u0062":null,"e":[],"o":{}}"#)
    #expect(try text(json["b"][3]) == #""x\/y/\u00e9""#)
    #expect(try text(json["b"][0]) == "1.50")
  }

  @Test func `slashes are escaped or not whatever their source spelling`() throws {
    let json = try JSON(parsing: #"["a/b\/c","\\/","\\\\/\/",{"k/\/":1}]"#)
    #expect(try text(json) { $0.slashes = .escaped } == #"["a\/b\/c","\\\/","\\\\\/\/",{"k\/\/":1}]"#)
    #expect(try text(json) { $0.slashes = .plain } == #"["a/b/c","\\/","\\\\//",{"k//":1}]"#)
    let built: JSON = ["a/b", ["k/": 1]]
    #expect(try text(built) == #"["a/b",{"k/":1}]"#)
    #expect(try text(built) { $0.slashes = .escaped } == #"["a\/b",{"k\/":1}]"#)
    #expect(try text(built) { $0.slashes = .plain } == #"["a/b",{"k/":1}]"#)
  }

  @Test func `normalized spelling has one form for strings and numbers`() throws {
    let json = try JSON(
      parsing: #"["\u00e9\/\u001F\u0008\ud83d\ude00",1.50,-0,-0.0,1E+2,12345678901234567890123,1e-7]"#)
    #expect(
      try text(json) { $0.spelling = .normalized } == #"["é/\u001f\b😀",1.5,0,-0,100,12345678901234567890123,1e-07]"#)
  }

  @Test func `every control character, quote and backslash of a built string is escaped`() throws {
    for byte in UInt8(0)...0x7F {
      let string = "a" + String(UnicodeScalar(byte)) + "é\u{2028}"
      let written = try text(JSON(string))
      #expect(!written.utf8.contains { $0 < 0x20 })
      #expect(try JSON(parsing: written).string == string, "\(byte)")
    }
  }

  @Test func `pretty text has Foundation's form`() throws {
    var json = try JSON(parsing: #"{"a":[1,{}],"b":[],"c":{"d":null}}"#)
    let expected = """
      {
        "a" : [
          1,
          {

          }
        ],
        "b" : [

        ],
        "c" : {
          "d" : null
        }
      }
      """
    #expect(try text(json) { $0.isPretty = true } == expected)
    json["a"][0] = 1
    json["c", "d"] = JSON.null
    #expect(try text(json) { $0.isPretty = true } == expected)
    #expect(try text(JSON([] as [Any])) { $0.isPretty = true } == "[\n\n]")
    #expect(try text(7) { $0.isPretty = true } == "7")
  }

  @Test func `sorted keys are in byte order and duplicates in source order`() throws {
    let json = try JSON(parsing: #"{"b":1,"a":{"z":1,"y":2},"B":2,"é":3,"a\u0061":4,"b":5,"":6}"#)
    #expect(try text(json) { $0.sortsKeys = true } == #"{"":6,"B":2,"a":{"y":2,"z":1},"a\u0061":4,"b":1,"b":5,"é":3}"#)
  }

  @Test func `deep levels of pretty text are not indented`() throws {
    let depth = 600
    let text = String(repeating: "[", count: depth) + "1,2" + String(repeating: "]", count: depth)
    let pretty = try JSON(parsing: text).bytes(.pretty)
    #expect(pretty.filter { $0 == 0x0A }.count == 2 * 512)
    #expect(try JSON(parsing: pretty) == (try JSON(parsing: text)))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `NaN and infinity are rejected with their location`(number: Double) throws {
    let error = #expect(throws: JSONError.self) { try JSON([1, number] as [Any]).bytes() }
    #expect(error?.code == .nonFiniteNumber && error?.byteOffset == 3)
  }

  @Test func `a value without a JSON form is rejected`() throws {
    struct Other {}
    let error = #expect(throws: JSONError.self) { try JSON(["a": Other()]).bytes() }
    #expect(error?.code == .unsupportedValue)
    #expect(JSON(["a": Other()]).description == "unknown")
  }

  @Test func `a stream of chunks is the text, and no chunk is much larger than the others`() throws {
    let long = String(repeating: "x", count: 300_000)
    var json = try JSON(parsing: "[\"\(long)\", " + (0..<50_000).map { "{\"k\" : \($0)}" }.joined(separator: ",") + "]")
    json[7] = ["changed": 1.5]
    for options in [JSONWriterOptions.compact, .pretty] {
      var chunks: [[UInt8]] = []
      try json.write(options) { (chunk) throws(JSONError) in
        chunks.append(unsafe chunk.withUnsafeBytes { unsafe Array($0) })
      }
      #expect(Array(chunks.joined()) == (try json.bytes(options)))
      #expect(chunks.count > 5)
      if options == .compact { #expect(chunks.allSatisfy { $0.count <= 1 << 17 }) }
    }
  }

  struct Full: Error, Equatable { let chunk: Int }

  @Test func `an error of the sink ends the writing and is thrown unchanged`() throws {
    let json = try JSON(parsing: "[" + String(repeating: "1,", count: 200_000) + "1]")
    for last in 1...3 {
      var count = 0
      #expect(throws: Full(chunk: last)) {
        try json.write { _ in
          count += 1
          if count == last { throw Full(chunk: count) }
        }
      }
      #expect(count == last)
    }
    // A sink with its own typed errors, and a value that cannot be written.
    #expect(throws: Full(chunk: 7)) { try json.write(.pretty) { (_) throws(Full) in throw Full(chunk: 7) } }
    let error = #expect(throws: JSONError.self) { try JSON([1, Double.nan]).write { _ throws in } }
    #expect(error?.code == .nonFiniteNumber)
  }

  @Test func `doubles have their shortest text and read back the same`() throws {
    var generator = SeededGenerator()
    for _ in 0..<20_000 {
      let double = Double(bitPattern: generator.next())
      guard double.isFinite else { continue }
      let written = try text(JSON(double))
      #expect(try JSON(parsing: written).double?.bitPattern == double.bitPattern, "\(written) \(generator)")
    }
    #expect(
      try text(JSON([1.0, -0.0, 0.1, 1e16, 1e22, Double.leastNonzeroMagnitude, 1.7976931348623157e308] as [Any]))
        == "[1,-0.0,0.1,1e+16,1e+22,5e-324,1.7976931348623157e+308]")
  }
}
