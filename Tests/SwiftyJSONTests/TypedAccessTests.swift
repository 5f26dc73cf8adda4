import Foundation
import SwiftyJSON
import Testing

/// Section 10 of the inventory: arrays, dictionaries, Bools, strings, null, existence and addresses.
@Suite struct TypedAccessTests {
  @Test func `array is set for an array only`() throws {
    for json in [try parsed(#"[1,"a",[true]]"#), JSON([1, "a", [true]] as [Any])] {
      #expect(json.array?.count == 3 && json.arrayValue.count == 3)
      #expect(json.array?[0].int == 1 && json.arrayValue[1].string == "a" && json.arrayValue[2][0].bool == true)
      #expect(json.arrayObject?.count == 3 && json.arrayObject?[1] as? String == "a")
      #expect((json.arrayObject?[2] as? [Any])?.count == 1)
    }
    for type in allTypes where type != .array {
      let json = specimen(of: type)
      #expect(json.array == nil && json.arrayValue.isEmpty && json.arrayObject == nil, "\(type)")
    }
    #expect(JSON([] as [Any]).array?.isEmpty == true && JSON([] as [Any]).arrayObject?.isEmpty == true)
  }

  @Test func `dictionary is set for an object only`() throws {
    for json in [try parsed(#"{"a":1,"b":{"c":2}}"#), JSON(["a": 1, "b": ["c": 2]] as [String: Any])] {
      #expect(json.dictionary?.count == 2 && json.dictionaryValue["a"]?.int == 1)
      #expect(json.dictionaryValue["b"]?["c"].int == 2 && json.dictionary?["z"] == nil)
      #expect(json.dictionaryObject?.count == 2 && json.dictionaryObject?["a"] as? Int == 1)
      #expect((json.dictionaryObject?["b"] as? [String: Any])?["c"] as? Int == 2)
    }
    for type in allTypes where type != .dictionary {
      let json = specimen(of: type)
      #expect(json.dictionary == nil && json.dictionaryValue.isEmpty && json.dictionaryObject == nil, "\(type)")
    }
    #expect(JSON([:] as [String: Any]).dictionary?.isEmpty == true)
  }

  @Test func `arrayObject and dictionaryObject are set and nil stores null`() {
    for before in allTypes {
      var json = specimen(of: before)
      json.arrayObject = [1, "a", JSON(true), NSNull(), nil as Int? as Any]
      #expect(json == [1, "a", true, NSNull(), NSNull()] && json.error == nil)
      json.arrayObject = nil
      #expect(json.type == .null && json.error == nil)
      json = specimen(of: before)
      json.dictionaryObject = ["a": 1, "j": JSON("x"), "n": nil as Int? as Any]
      #expect(json == ["a": 1, "j": "x", "n": NSNull()] && json.error == nil)
      json.dictionaryObject = nil
      #expect(json.type == .null && json.error == nil)
    }
  }

  @Test func `arrays and dictionaries are changed in place through their objects`() throws {
    var json = try parsed(#"{"list":[1,2],"o":{"a":1,"b":2}}"#)
    json["list"].arrayObject?.append("x")
    #expect(json["list"] == [1, 2, "x"])
    json["list"].arrayObject?.remove(at: 0)
    #expect(json["list"] == [2, "x"])
    json["o"].dictionaryObject?.removeValue(forKey: "a")
    #expect(json["o"] == ["b": 2])
    json["o"].dictionaryObject?["c"] = 3
    #expect(json["o"] == ["b": 2, "c": 3])
    json.dictionaryObject?.removeValue(forKey: "list")
    #expect(json == ["o": ["b": 2, "c": 3]])
  }

  @Test func `bool is set for a Bool only`() throws {
    #expect(JSON(true).bool == true && JSON(false).bool == false)
    #expect(try parsed("true").bool == true && parsed("false").bool == false)
    for json in [JSON(1), JSON(0), JSON("true"), JSON.null, JSON([true]), JSON(["a": true]), JSON(noJSON)] {
      #expect(json.bool == nil)
    }
  }

  @Test func `boolValue coerces as documented`() throws {
    #expect(JSON(true).boolValue && !JSON(false).boolValue)
    for number: Any in [1, -1, 0.5, 1e-300, Double.nan, Double.infinity, UInt64.max, Decimal(string: "0.1") as Any] {
      #expect(JSON(number).boolValue, "\(number)")
    }
    for number: Any in [0, 0.0, -0.0, Int8(0), Decimal(0)] { #expect(!JSON(number).boolValue, "\(number)") }
    for text in ["1", "-1", "0.5", "1e-300", "1e30", "-0.1", #""tr\u0075e""#] {
      #expect(try parsed(text).boolValue, "\(text)")
    }
    for text in ["0", "0.0", "-0", "-0.0", "0e5", "1e-400", "\"truely\"", "[]", "{}"] {
      #expect(try !parsed(text).boolValue, "\(text)")
    }
    for string in ["true", "TRUE", "True", "tRuE", "y", "Y", "t", "T", "yes", "YES", "Yes", "1"] {
      #expect(JSON(string).boolValue, "\(string)")
      #expect(try parsed("\"\(string)\"").boolValue, "\(string)")
    }
    for string in ["", "false", "no", "n", "f", "0", " true", "true ", "yess", "2", "11", "1.0", "on", "truе"] {
      #expect(!JSON(string).boolValue, "\(string)")
    }
    for json in [JSON.null, JSON([true]), JSON(["a": true]), JSON(noJSON), JSON([1])[5]] { #expect(!json.boolValue) }
  }

  @Test func `a Bool is set and nil stores null`() {
    for before in allTypes {
      var json = specimen(of: before)
      json.bool = true
      #expect(json.type == .bool && json.bool == true && json.error == nil)
      json.bool = nil
      #expect(json.type == .null && json.error == nil)
      json.boolValue = false
      #expect(json.type == .bool && json.bool == false)
    }
  }

  @Test func `stringValue is the text of a scalar and empty for the rest`() throws {
    #expect(JSON("a").stringValue == "a" && JSON(5).stringValue == "5" && JSON(1.5).stringValue == "1.5")
    #expect(JSON(true).stringValue == "true" && JSON(false).stringValue == "false")
    #expect(try parsed("true").stringValue == "true")
    for json in [JSON.null, JSON(["a"]), JSON(["a": "b"]), JSON(noJSON), JSON([1])[5]] {
      #expect(json.stringValue == "")
    }
  }

  @Test func `a string is set and nil stores null`() {
    for before in allTypes {
      var json = specimen(of: before)
      json.string = "a\"b"
      #expect(json.type == .string && json.string == "a\"b" && json.error == nil)
      json.string = nil
      #expect(json.type == .null && json.error == nil)
      json.stringValue = ""
      #expect(json.type == .string && json.string == "")
    }
  }

  @Test func `null is NSNull for null and for a missing value`() throws {
    for json in [
      JSON.null, JSON(NSNull()), try parsed("null"), try parsed("[null]")[0], JSON([1])[5], JSON(["a": 1])["b"],
    ] { #expect(json.null != nil) }
    for type in allTypes where type != .null { #expect(specimen(of: type).null == nil) }
  }

  @Test func `setting null to anything stores null`() {
    for before in allTypes {
      var json = specimen(of: before)
      json.null = NSNull()
      #expect(json.type == .null && json.error == nil)
      json = specimen(of: before)
      json.null = nil
      #expect(json.type == .null && json.error == nil)
    }
  }

  @Test func `an existing value exists and a missing one does not`() throws {
    let json = try parsed(#"{"a":null,"b":[1]}"#)
    #expect(json.exists() && json["a"].exists() && json["b"][0].exists())
    #expect(!json["c"].exists() && !json["b"][1].exists() && !json["a"]["x"].exists() && !json[0].exists())
    #expect(JSON.null.exists() && !JSON(noJSON).exists())
  }

  /// A string and its URL.
  static let addresses: [(String, String)] = [
    ("http://github.com/SwiftyJSON", "http://github.com/SwiftyJSON"),
    ("https://a.b/c?d=e&f=g", "https://a.b/c?d=e&f=g"),
    ("http://a/b%20c", "http://a/b%20c"), ("http://a/b c", "http://a/b%20c"), ("http://a/é", "http://a/%C3%A9"),
    ("http://a/日本", "http://a/%E6%97%A5%E6%9C%AC"), ("http://a/b#c", "http://a/b#c"), ("/path", "/path"),
    ("mailto:a@b.c", "mailto:a@b.c"), ("http://a/%E6%97%A5?x=1", "http://a/%E6%97%A5?x=1"),
  ]

  @Test(arguments: addresses)
  func `url is the URL in a string`(text: String, address: String) throws {
    #expect(JSON(text).url?.absoluteString == address)
    let quoted = String(decoding: try JSONSerialization.data(withJSONObject: [text]), as: UTF8.self)
    #expect(try parsed(quoted)[0].url?.absoluteString == address)
  }

  @Test func `a URL keeps its fragment`() { #expect(JSON("http://a/b#c").url?.fragment == "c") }

  @Test func `a value that is not a URL has none`() {
    for json in [JSON(""), JSON(1), JSON(true), JSON.null, JSON(["http://a"]), JSON(["a": "http://a"]), JSON(noJSON)] {
      #expect(json.url == nil)
    }
  }

  @Test func `a URL is set as its text and nil stores null`() {
    for before in allTypes {
      var json = specimen(of: before)
      json.url = URL(string: "http://a/b%20c?d#e")
      #expect(json.type == .string && json.string == "http://a/b%20c?d#e" && json.error == nil)
      json.url = nil
      #expect(json.type == .null && json.error == nil)
    }
  }
}
