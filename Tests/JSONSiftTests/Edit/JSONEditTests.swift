import JSONSift
import TestSupport
import Testing

@Suite struct JSONEditTests {
  private func rewrite(
    _ rules: [JSONEdit.Rule], _ text: String, _ framing: JSONFraming = .document, _ options: JSONEdit.Options = .init(),
    records: JSONRecordOptions? = nil, where condition: JSONCondition? = nil, chunk: Int? = nil
  ) throws -> String {
    var output: [UInt8] = []
    let edit = try JSONEdit(rules, options: options)
    try edit.rewrite(
      .chunks(Chunks(Array(text.utf8), size: chunk)), records: records ?? JSONRecordOptions(framing: framing),
      where: condition
    ) { chunk in
      unsafe chunk.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
    }
    return String(decoding: output, as: UTF8.self)
  }

  @Test(arguments: [
    ("[1, 2 ,3]", "$[0]", "[2 ,3]"), ("[1, 2 ,3]", "$[1]", "[1 ,3]"), ("[1, 2 ,3]", "$[2]", "[1, 2]"),
    ("[ 1 , 2 ]", "$[*]", "[]"), ("[ 1 , 2 ]", "$[0]", "[ 2 ]"), ("{ \"a\" : 1 }", "$.a", "{}"),
    ("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "$.a", "{\n  \"b\": 2\n}\n"),
    ("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "$.b", "{\n  \"a\": 1\n}\n"),
    ("[[1],[2]]", "$[*][0]", "[[],[]]"), ("{\"a\":1,\"\\u0061\":2,\"b\":3,\"a\":{}}", "$.a", "{\"b\":3}"),
  ])
  func `a deleted child takes its comma and the white space before it along`(
    text: String, path: String, expected: String
  ) throws {
    for size in [nil, 1, 2, 3] as [Int?] {
      #expect(try rewrite([.delete(JSONPath(path))], text, chunk: size) == expected)
    }
  }

  @Test(arguments: [
    ("{}", "$.a", "{\"a\":7}"), ("{ }", "$.a", "{\"a\":7 }"), ("{\"b\":1}", "$.a", "{\"b\":1,\"a\":7}"),
    ("{\n  \"b\": 1\n}", "$.a", "{\n  \"b\": 1,\n  \"a\": 7\n}"),
    ("{\"b\":{}}", "$.b.c.d", "{\"b\":{\"c\":{\"d\":7}}}"),
    ("[{},{\"a\":1},[]]", "$[*].a", "[{\"a\":7},{\"a\":7},[]]"), ("{\"a\":1,\"a\":2}", "$.a", "{\"a\":7,\"a\":7}"),
    ("[]", "$.a", "[]"), ("{\"a\":3}", "$.a.b", "{\"a\":3}"), ("[1]", "$[3]", "[1]"), ("3", "$", "7"),
  ])
  func `a member that is set is replaced, or created as the last one`(
    text: String, path: String, expected: String
  ) throws {
    for size in [nil, 1, 4] as [Int?] {
      #expect(try rewrite([.set(JSONPath(path), to: 7)], text, chunk: size) == expected)
    }
  }

  @Test func `members that several rules create in one new object are in one object`() throws {
    let rules: [JSONEdit.Rule] = [.set("$.n.a", to: 1), .set("$.n.b", to: 2), .set("$.m", to: 3), .set("$.m.x", to: 4)]
    #expect(try rewrite(rules, "{}") == "{\"n\":{\"a\":1,\"b\":2},\"m\":3}")
  }

  @Test func `deleting precedes masking, and masking precedes setting`() throws {
    let text = "{\"a\":1,\"b\":2,\"c\":3}"
    let rules: [JSONEdit.Rule] = [
      .set("$.*", to: 0), .mask("$['a','b']"), .delete("$.a"), .rename("$.b", to: "x"),
    ]
    #expect(try rewrite(rules, text) == "{\"x\":\"***\",\"c\":0}")
  }

  @Test func `names are compared without case, hyphens and underscores, at any depth and in any spelling`() throws {
    let text = #"{"apiKey":1,"x":[{"API-KEY":{"q":[1,2]}},{"a\u0070i_key":"s","apikeys":2}]}"#
    let expected = #"{"apiKey":"***","x":[{"API-KEY":"***"},{"a\u0070i_key":"***","apikeys":2}]}"#
    for size in [nil, 1, 5] as [Int?] {
      #expect(try rewrite([.mask(names: ["api_key"])], text, chunk: size) == expected)
    }
  }

  @Test func `values and patterns are found in decoded strings, keys and numbers`() throws {
    let text = #"{"sec\u0072et":"a secret, \u0073ecret","n":12345,"k123":"k12","t":"x12y345"}"#
    let rules: [JSONEdit.Rule] = [
      .mask(values: ["secret"], with: .fixed("S")), .mask(patterns: ["[0-9]{3,}"], with: .fixed("N")),
    ]
    #expect(try rewrite(rules, text) == #"{"S":"a S, S","n":"N","kN#2":"k12","t":"x12yN"}"#)
  }

  @Test func `overlapping parts are masked together, and the longest match counts`() throws {
    let rules: [JSONEdit.Rule] = [.mask(values: ["abc", "ab", "cde"]), .mask(patterns: ["cd", "[x-z]+"])]
    #expect(try rewrite(rules, #"["abcdqxyz", "ab c", "none"]"#) == #"["***q***", "*** c", "none"]"#)
  }

  @Test(arguments: [
    (["user", "rS3CRETKEY"], "userS3CRETKEY", "***"), (["aba"], "xababay", "x***y"), (["aa"], "aaaaab", "***b"),
    (["ab"], "abab", "******"), (["abcd", "bc", "cde"], "abcdef", "***f"),
  ])
  func `occurrences of values that overlap are masked to the end of the last`(
    values: [String], text: String, expected: String
  ) throws {
    #expect(try rewrite([.mask(values: values)], "[\"\(text)\"]") == "[\"\(expected)\"]")
  }

  @Test(arguments: [
    (#"{"***":1,"a@b.cd":2,"c@b.cd":3}"#, #"{"***":1,"***#2":2,"***#3":3}"#),
    (#"{"a@b.cd":1,"\u002a**":2,"x":3}"#, #"{"***":1,"***#2":2,"x":3}"#),
    (#"{"***#7":1,"a@b.cd":2,"c@b.cd":3}"#, #"{"***#7":1,"***#8":2,"***#9":3}"#),
    (#"{"a@b.cd#2":1,"c@b.cd":2,"o":{"c@b.cd":3}}"#, #"{"***#2":1,"***#3":2,"o":{"***":3}}"#),
    (#"{"***":1,"***#2":2,"***x":3}"#, #"{"***":1,"***#2":2,"***x":3}"#),
    (#"{"***#99999999999999999999":1,"a@b.cd":2}"#, #"{"***#99999999999999999999":1,"***#2":2}"#),
  ])
  func `a masked key differs from the other keys of its object`(text: String, expected: String) throws {
    #expect(try rewrite(JSONEdit.Rule.share(), text) == expected)
  }

  @Test func `a hash is equal for equal secrets, in any spelling, and of a container in any chunks`() throws {
    let key = Array("0123456789abcdef".utf8)
    let text = #"{"a":"s\u0031","b":"s1","c":"s2","d":{"x": [1,2]},"e":{"x": [1,2]}}"#
    let whole = try rewrite([.mask("$.*", with: .hash(key: key))], text)
    let json = try JSON(parsing: Array(whole.utf8))
    #expect(json["a"].stringValue == json["b"].stringValue)
    #expect(json["a"].stringValue != json["c"].stringValue)
    #expect(json["d"].stringValue == json["e"].stringValue)
    #expect(json["d"].stringValue.count == 32)
    for size in 1..<9 { #expect(try rewrite([.mask("$.*", with: .hash(key: key))], text, chunk: size) == whole) }
  }

  @Test func `HMAC-SHA-256 is that of RFC 4231`() throws {
    let key = [UInt8](repeating: 0x0B, count: 20)
    let json = try JSONEdit([.mask("$", with: .hash(key: key))]).edited("Hi There")
    #expect(json.stringValue == "b0344c61d8db38535ca8afceaf0bf12b")
  }

  @Test func `stars count characters, and null replaces the value`() throws {
    let rules: [JSONEdit.Rule] = [.mask("$.a", with: .stars), .mask("$.b", with: .null), .mask("$.c", with: .stars)]
    #expect(try rewrite(rules, #"{"a":"\u00e9x😀","b":"q","c":[1]}"#) == #"{"a":"***","b":null,"c":"***"}"#)
  }

  @Test func `JSON in strings is edited and written as a string again`() throws {
    var options = JSONEdit.Options()
    options.editsInside = true
    let inner = #"{\"password\":\"x\", \"t\":\"{\\\"password\\\":1}\"}"#
    let text = #"{"m":"\#(inner)","n":"{\"a\": 1}","o":"{bad \"password\":1"}"#
    let expected =
      #"{"m":"{\"password\":\"***\", \"t\":\"{\\\"password\\\":\\\"***\\\"}\"}","n":"{\"a\": 1}","o":"{bad \"password\":1"}"#
    #expect(try rewrite([.mask(names: ["password"])], text, .document, options) == expected)
    #expect(try rewrite([.mask(names: ["password"])], text) == text)
  }

  @Test func `values and patterns that span several tokens of JSON in a string are masked`() throws {
    var options = JSONEdit.Options()
    options.editsInside = true
    let text = #"{"log":"{\"id\":1,\"token\":\"S3CR\"}","x":"{\"password\":\"hunter2\"}"}"#
    let rules: [JSONEdit.Rule] = [
      .mask("$.id"), .mask(patterns: [#""token":"[^"]*""#]), .mask(values: [#"{"password":"hunter2"}"#]),
    ]
    let expected = #"{"log":"{\"id\":\"***\",***}","x":"***"}"#
    #expect(try rewrite(rules, text, .document, options) == expected)
  }

  @Test func `a string whose JSON exceeds a limit is masked as a whole and counted`() throws {
    var options = JSONEdit.Options()
    options.editsInside = true
    let edit = try JSONEdit([.mask("$..pw")], options: options)
    var records = JSONRecordOptions(framing: .lines)
    records.reading.limits.keyBytes = 20
    var nested = #"{"pw":"S3CR"}"#
    for _ in 0..<12 {
      nested = "[\"\(nested.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"]"
      #expect(try !edit.edited(JSON(parsing: Array(nested.utf8))).description.contains("S3CR"))
    }
    let deep = String(repeating: "[", count: 5000) + #"{\"pw\":\"S3CR\"}"# + String(repeating: "]", count: 5000)
    let key = String(repeating: "k", count: 21)
    let text = """
      {"q":"{\\"pw\\":\\"S3CR\\",\\"m\\":\\"\\\\ud83d\\"}"}
      {"q":"\(deep)"}
      {"q":"{\\"\(key)\\":{\\"pw\\":\\"S3CR\\"}}"}
      {"q":"[INFO] {\\"pw\\":1}"}

      """
    var output = ""
    let receipt = try edit.rewrite(.bytes(Array(text.utf8)), records: records) { chunk in
      output += unsafe chunk.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
    #expect(output == String(repeating: "{\"q\":\"***\"}\n", count: 3) + "{\"q\":\"[INFO] {\\\"pw\\\":1}\"}\n")
    #expect(receipt.entries.last?.rule == "JSON in strings that exceeds a limit")
    #expect(receipt.entries.map(\.count) == [0, 3])
  }

  @Test func `only records that satisfy the condition are changed`() throws {
    let text = "{\"a\":1,\"s\":1}\n\n{\"a\":2,\"s\":1} \r\n{\"a\":1}\n"
    let found = try rewrite([.mask("$.s")], text, .lines, where: JSONCondition("@.a == 2"))
    #expect(found == "{\"a\":1,\"s\":1}\n\n{\"a\":2,\"s\":\"***\"} \r\n{\"a\":1}\n")
  }

  @Test(arguments: [nil, 1, 7, 20] as [Int?])
  func `a bad record is left out, or copied on request`(size: Int?) throws {
    let text = "{\"p\":1}\n\nbad {\"p\":2}\n \n{\"p\":3}\n\u{0}\u{0}{\"p\":4}\n{\"p\":"
    var records = JSONRecordOptions(framing: .lines)
    records.recovery = .skip
    #expect(
      try rewrite([.mask("$.p")], text, records: records, chunk: size)
        == "{\"p\":\"***\"}\n\n \n{\"p\":\"***\"}\n{\"p\":\"***\"}\n")
    var options = JSONEdit.Options()
    options.keepsBadRecords = true
    #expect(
      try rewrite([.mask("$.p")], text, .lines, options, records: records, chunk: size)
        == "{\"p\":\"***\"}\n\nbad {\"p\":2}\n \n{\"p\":\"***\"}\n\u{0}\u{0}{\"p\":\"***\"}\n{\"p\":")
  }

  @Test(arguments: [nil, 1, 7] as [Int?])
  func `a record that is too long is left out`(size: Int?) throws {
    var records = JSONRecordOptions(framing: .lines)
    records.recovery = .skip
    records.reading.limits.recordBytes = 20
    let long = "{\"p\":\"\(String(repeating: "s", count: 500))\"}"
    #expect(
      try rewrite([.mask("$.p")], "{\"p\":1}\n\(long)\n\n{\"p\":2}\n\(long)", records: records, chunk: size)
        == "{\"p\":\"***\"}\n\n{\"p\":\"***\"}\n")
  }

  @Test func `text before a record is left out, or copied with values masked`() throws {
    var records = JSONRecordOptions(framing: .lines)
    records.skipsPrefix = true
    let text = "2026 tok9 {\"p\":1} \r\n{\"p\":2}\n"
    let rules: [JSONEdit.Rule] = [.mask("$.p"), .mask(values: ["tok9"])]
    #expect(try rewrite(rules, text, records: records) == "{\"p\":\"***\"} \r\n{\"p\":\"***\"}\n")
    var options = JSONEdit.Options()
    options.keepsPrefix = true
    #expect(
      try rewrite(rules, text, .lines, options, records: records) == "2026 *** {\"p\":\"***\"} \r\n{\"p\":\"***\"}\n")
  }

  @Test(arguments: [JSONFraming.values, .textSequence])
  func `the text between records is copied in all framings`(framing: JSONFraming) throws {
    let start = framing == .textSequence ? "\u{1E}" : ""
    let text = "\(start)  {\"p\": 1}\n\(start) [3] \n\n\(start)\"x\"\n"
    for size in [nil, 1, 5] as [Int?] {
      #expect(try rewrite([.mask("$.p")], text, framing, chunk: size) == text.replacing(" 1}", with: " \"***\"}"))
    }
  }

  @Test func `a byte order mark, and text without a change, stay as they are`() throws {
    let text = "\u{FEFF}{ \"a\" : 1.0e5 }\n"
    for framing in [JSONFraming.document, .lines] {
      for size in [nil, 1, 2] as [Int?] { #expect(try rewrite([.delete("$.q")], text, framing, chunk: size) == text) }
    }
  }

  @Test func `a receipt counts what each rule selects and changes`() throws {
    let edit = try JSONEdit([.delete("$.a"), .mask("$.*"), .set("$.q", to: 1), .rename("$[9]", to: "x")])
    let receipt = try edit.rewrite(.bytes(Array("{\"a\":1,\"b\":2}".utf8))) { _ in }
    #expect(receipt.entries.map(\.count) == [1, 1, 1, 0])
    #expect(receipt.entries.map(\.selected) == [1, 2, 1, 0])
    #expect(receipt.unmatched == ["rename $[9]"])
  }

  @Test(arguments: ["$.a[?$.b]", "$"])
  func `a path that cannot be followed is rejected`(path: String) throws {
    #expect(throws: JSONError.self) { try JSONEdit([.delete(JSONPath(path))]) }
  }

  @Test(arguments: [
    "AKIAIOSFODNN7EXAMPLE", "ghp_0123456789abcdefghijABCDEFGHIJ012345", "me.too+x@mail.example.org", "10.1.255.7",
    "2001:db8:0:1:1:1:1:1", "4111 1111 1111 1111", "378282246310005", "00:1b:44:11:3a:b7",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_1",
  ])
  func `the preset masks tokens, addresses and card numbers`(secret: String) throws {
    let text = try rewrite(JSONEdit.Rule.share(), "[\"see \(secret) there\"]")
    #expect(text == "[\"see *** there\"]")
  }

  @Test(arguments: [
    ("year 2024 4111 1111 1111 1111", "year 2024 ***"), ("no 12344111111111111111.", "no 1***."),
    ("4111111111111111024", "***024"), ("4111 1111 1111 1112 4111 1111 1111 1111", "4111 1111 1111 1112 ***"),
  ])
  func `digits before and after a card number do not hide it`(text: String, expected: String) throws {
    #expect(try rewrite(JSONEdit.Rule.share(), "[\"\(text)\"]") == "[\"\(expected)\"]")
  }

  @Test(arguments: [
    "ya29.\(String(repeating: "a", count: 300))TAIL", "sk-\(String(repeating: "a", count: 300))TAIL",
    "AKIAIOSFODNN7EXAMPLEtail", "ghp_\(String(repeating: "a", count: 300))_x", "xoxb-0123456789_tail",
    "\(String(repeating: "a", count: 100))@mail.example", "::1", "2001:db8::", "::ffff:1",
    "-----BEGIN RSA PRIVATE KEY-----\\nProc-Type: 4,ENCRYPTED\\nDEK-Info: AES-128-CBC,00\\n\\nS3CR\\n"
      + "-----END RSA PRIVATE KEY-----",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\\nVersion: a -- b\\n\\nS3CR\\n-----END PGP PRIVATE KEY BLOCK-----",
  ])
  func `the preset masks secrets to their ends`(secret: String) throws {
    let text = try rewrite(JSONEdit.Rule.share(), "[\"see \(secret) there\"]")
    #expect(text == "[\"see *** there\"]")
  }

  @Test(arguments: [
    ("postgres://user:pa@S3CR@host/db", "postgres***host/db"), ("https://S3CR@host", "https***host"),
    ("https://host/a@b", "https://host/a@b"),
  ])
  func `the preset masks what precedes the host of a URL`(text: String, expected: String) throws {
    #expect(try rewrite(JSONEdit.Rule.share(), "[\"\(text)\"]") == "[\"\(expected)\"]")
  }

  @Test(arguments: ["db_password", "aws_secret_access_key", "userPassword", "x-auth-token", "PIN"])
  func `the preset masks members whose names end with one of its names`(name: String) throws {
    #expect(try rewrite(JSONEdit.Rule.share(), "{\"\(name)\":1}") == "{\"\(name)\":\"***\"}")
    #expect(try rewrite(JSONEdit.Rule.share(), "{\"\(name)_age\":1}") == "{\"\(name)_age\":1}")
  }

  @Test(arguments: ["4111 1111 1111 1112", "version 1.2.3", "12:30:05", "a@b", "plain text"])
  func `the preset leaves other texts as they are`(text: String) throws {
    #expect(try rewrite(JSONEdit.Rule.share(), "[\"\(text)\"]") == "[\"\(text)\"]")
  }
}
