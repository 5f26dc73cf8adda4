import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Faults found in values, one test each.
@Suite struct ValueRegressionTests {
  @Test func `a detached value of an overwritten mapped file is still a well-formed string`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "detached-\(UUID()).json").path
    let file = unsafe try #require(fopen(path, "w+"))
    defer {
      unsafe fclose(file)
      unsafe unlink(path)
    }
    unsafe fputs("{\"pad\":1,\"s\":\"abcdefgh\"}", file)
    unsafe fflush(file)
    let json = try JSON(contentsOf: path, loading: .mapped)
    let range = try #require(json["s"].byteRange)
    unsafe fseek(file, range.upperBound - 2, SEEK_SET)
    unsafe fputc(0xF0, file)
    unsafe fflush(file)
    let string = try #require(json["s"].detached().string)
    #expect(String(validating: Array(string.utf8), as: UTF8.self) != nil)
    #expect(string == "abcdefg\u{FFFD}")
  }

  @Test func `a member without a JSON form can be removed`() {
    struct Other {}
    var json = JSON(["a": Other(), "b": 1] as [String: Any])
    #expect(json.removeValue(forKey: "a") != Optional.none)
    #expect(json.count == 1)
  }

  @Test func `an index of another value traps and is not read as a name`() async {
    await #expect(processExitsWith: .failure) {
      let first = try JSON(parsing: #"{"a":[],"b":1}"#)
      let second = try JSON(parsing: "{\"p0\":0,\"q\":[1,2,3,4,5,6,7,8,9,10],\"r\":{}}")
      _ = second[first.index(after: first.startIndex)]
    }
  }

  @Test func `text of exactly some chunks has no empty chunk after it`() throws {
    let text = "[\"" + String(repeating: "x", count: 2 * 65_536 - 4) + "\"]"
    var chunks: [Int] = []
    try JSON(parsing: text).write { (chunk) throws(JSONError) in chunks.append(chunk.byteCount) }
    #expect(chunks == [65_536, 65_536])
  }

  @Test func `numbers beyond all Doubles differ from the largest Double and from each other`() throws {
    let huge = try JSON(parsing: "1e400")
    for other in [JSON(Double.greatestFiniteMagnitude), JSON(1), try JSON(parsing: "1.7976931348623157e308")] {
      #expect(huge != other && huge > other && other < huge)
    }
    #expect(huge != JSON(Double.infinity) && huge < JSON(Double.infinity))
    #expect(JSON(-Double.infinity) < (try JSON(parsing: "-1e400")))
    #expect(try JSON(parsing: "1e1099511627777") != JSON(parsing: "1e1099511627778"))
    #expect(try JSON(parsing: "1e500") == JSON(parsing: "10e499"))
  }

  @Test func `minus zero is written so that it reads back`() throws {
    let json: JSON = [-0.0]
    let again = try JSON(parsing: json.bytes())
    #expect(again[0].double?.sign == .minus)
    #expect(json[0].stringValue == "-0")
  }

  @Test(arguments: ["-0", "0e5", "1.50", "1E+2", "12345678901234567890.50"])
  func `a normalized number is written the same when it is normalized again`(text: String) throws {
    let options = with(JSONWriterOptions()) { $0.spelling = .normalized }
    let once = try JSON(parsing: text).bytes(options)
    #expect(try JSON(parsing: once).bytes(options) == once)
    #expect(try JSON(parsing: once).double?.sign == JSON(parsing: text).double?.sign)
  }

  @Test func `a whole number with many zeros after the point has the text of an integer`() throws {
    #expect(try JSON(parsing: "1.0000000000000000000000000000000000000000001").stringValue == "1")
  }

  @Test func `NaN sorts between the negative numbers and zero, also before negative zero`() throws {
    let nan = JSON(Double.nan)
    #expect(nan < JSON(-0.0) && nan < JSON(0) && nan > JSON(-1) && nan == nan)
  }

  @Test func `a value that contains itself many times is compared at once`() {
    var json: JSON = [1]
    for _ in 0..<64 { json = [json, json] }
    #expect(json == json)
  }

  @Test func `merged arrays store null for values without a JSON form`() throws {
    struct Other {}
    var json: JSON = [1]
    try json.merge(with: [Other()])
    #expect(String(decoding: try json.bytes(), as: UTF8.self) == "[1,null]")
  }

  @Test func `an escaped or long child that is parsed alone is not read from an earlier quote`() throws {
    let padding = String(repeating: "x", count: 1 << 16)
    let long = String(repeating: "y", count: 1 << 15)
    let text = #"{"pad":"\#(padding)","a":"\n4","b":"\u00e9","c":"\#(long)","d":["\ud800"]}"#
    let options = JSONOptions(loneSurrogates: .replace)
    let json = try JSON(parsing: text, options: options)
    #expect(json["a"].string == "\n4" && json["b"].string == "é" && json["c"].string == long)
    #expect(json["d"][0].string == "\u{FFFD}" && json["pad"].string == padding)
    let array = try JSON(parsing: #"["\#(padding)","\n4","\#(long)"]"#, options: options)
    #expect(array[1].string == "\n4" && array[2].string == long)
    let raw = String(decoding: array[1].rawBytes, as: UTF8.self)
    #expect(raw == #""\n4""#)
  }
}
