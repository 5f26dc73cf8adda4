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

  private func receipt(
    _ rules: [JSONEdit.Rule], _ text: String, _ options: JSONEdit.Options, _ records: JSONRecordOptions,
    where condition: JSONCondition? = nil
  ) throws -> JSONEdit.Receipt {
    var options = options
    options.notesStrings = true
    return try JSONEdit(rules, options: options).rewrite(.bytes(Array(text.utf8)), records: records, where: condition) {
      _ in
    }
  }

  @Test func `a receipt has what was copied without rules`() throws {
    var records = JSONRecordOptions(framing: .lines)
    records.recovery = .skip
    records.skipsPrefix = true
    var options = JSONEdit.Options()
    options.keepsBadRecords = true
    options.keepsPrefix = true
    let text = """
      {"a":1,"s":"x","t":["{\\"q\\":\\"y\\"}"]}
      at 7 {"a":2,"s":"x","k@e.com":{"u":"y"}}
      {"a":
      at 8 {"a":1,"k@e.com":"y"}

      """
    let found = try receipt(
      [.mask("$.s")] + JSONEdit.Rule.share(), text, options, records, where: JSONCondition("@.a == 2"))
    #expect(found.strings == ["$.s", "$.t[*]", "$['***']", "$['***'].u"])
    #expect([found.unselectedRecords, found.keptBadRecords, found.keptPrefixes] == [2, 1, 2])
    let none = try receipt([.mask("$.s")], text, JSONEdit.Options(), records)
    #expect([none.unselectedRecords, none.keptBadRecords, none.keptPrefixes] == [0, 0, 0])
  }

  @Test func `a receipt has the new name of a member that is renamed`() throws {
    let rules: [JSONEdit.Rule] = [.rename("$.bob", to: "user \"x\""), .mask("$.bob.pw"), .mask(values: ["bob"])]
    let found = try receipt(rules, #"{"bob":{"pw":"1","n":"2"},"bob2":"3"}"#, .init(), .init(framing: .document))
    #expect(found.strings == [#"$['***2']"#, #"$['user "x"'].n"#])
  }

  @Test func `a receipt of more paths than it has room for is the same in any order and division`() throws {
    let names = (0..<25_000).map { "k\($0 * 7919 % 25_000)" }
    let lines = names.map { "{\"\($0)\":{\"a\":[\"x\"]},\"z\":\"\"}\n" }
    let expected = try receipt([.mask("$.q")], lines.joined(), .init(), .init(framing: .lines)).strings
    #expect(expected.count == 10_001)
    #expect(expected.prefix(3) == ["$.k0.a[*]", "$.k1.a[*]", "$.k10.a[*]"])
    #expect(expected.last == "…")
    let reversed = try receipt([.mask("$.q")], lines.reversed().joined(), .init(), .init(framing: .lines))
    #expect(reversed.strings == expected)
    let document = "[\(lines.joined(separator: ","))]"
    let whole = try receipt([.mask("$.q")], document, .init(), .init(framing: .document)).strings
    #expect(whole == expected.map { $0.replacing("$.", with: "$[*].") })
    let nested = String(repeating: "{\"a\":[", count: 100) + document + String(repeating: "]}", count: 100)
    #expect(try receipt([.mask("$.q")], nested, .init(), .init(framing: .document)).strings.count == 10_001)
  }

  @Test func `a condition and a filter read the first of duplicate keys`() throws {
    let text = "{\"a\":1,\"a\":2,\"s\":1}\n{\"a\":2,\"a\":1,\"s\":1}\n"
    let masked = text.replacing("2,\"a\":1,\"s\":1", with: "2,\"a\":1,\"s\":\"***\"")
    #expect(try rewrite([.mask("$.s")], text, .lines, where: JSONCondition("@.a == 2")) == masked)
    let nested = text.replacing("{", with: "[{").replacing("}", with: "}]")
    #expect(
      try rewrite([.mask("$[?@.a == 2].s")], nested, .lines)
        == masked.replacing("{", with: "[{").replacing("}", with: "}]"))
  }

  @Test func `steps to records inside of records are rejected`() throws {
    var records = JSONRecordOptions(framing: .lines)
    records.steps = [.unwrap("$.log")]
    let error = #expect(throws: JSONError.self) { try rewrite([.mask("$.a")], "{}", records: records) }
    #expect(error?.message.contains("expected no steps") == true)
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
    ("year 2024 4111 1111 1111 1111", "year 2024 ***"), ("x4111111111111111-123 12/29", "x***-123 12/29"),
    ("4111 1111 1111 1112 4111 1111 1111 1111", "4111 1111 1111 1112 ***"), ("no 4111-1111-1111-1111.", "no ***."),
    ("3782 822463 10005", "***"), ("3056 930902 5904", "***"), ("4222222222222", "***"), ("6212345678901265", "***"),
    ("2223000048400011,5555555555554444", "***,***"), ("6011 0009 9013 9424 000", "*** 000"),
    ("1 4 4111 1111 1111 1111", "1 4 ***"),
  ])
  func `groups of digits before and after a card number do not hide it`(text: String, expected: String) throws {
    #expect(try rewrite(JSONEdit.Rule.share(), "[\"\(text)\"]") == "[\"\(expected)\"]")
  }

  /// Of ten long numbers one would have a valid check digit, and nearly all contain a part that has one.
  @Test func `identifiers, times and fractions are no card numbers`() throws {
    var lines = [
      "4111111111111111024", "12344111111111111111", "41111111111111110", "0.4111111111111111", "4111111111111111.5",
    ]
    // Identifiers of a service with a time in milliseconds, times in nanoseconds and microseconds, and random fractions.
    for index in 0..<500 {
      let time = 1_700_000_000_000 + index * 86_399_989
      lines += [
        "\((time - 1_288_834_974_657) << 22 | index)", "\(time * 1_000_000 + 12_347 * index)", "\(time * 1000 + index)",
      ]
      lines.append("0.\(4_000_000_000_000_000 + index * 4_100_000_000_057)")
    }
    let text = "[\(lines.joined(separator: ","))]"
    #expect(try rewrite(JSONEdit.Rule.share(), text) == text)
    let strings = "[\(lines.map { "\"id \($0)\"" }.joined(separator: ","))]"
    #expect(try rewrite(JSONEdit.Rule.share(), strings) == strings)
    #expect(try rewrite(JSONEdit.Rule.share(), "[4111111111111111]") == "[\"***\"]")
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

  @Test func `a cached key is masked each time, and numbered`() throws {
    let line = #"{"id":1,"a@b.cd":1,"c@b.cd":2,"id":"x@y.zz"}"#
    let expected = #"{"id":1,"***":1,"***#2":2,"id":"***"}"#
    let text = [String](repeating: line, count: 50).joined(separator: "\n")
    let edited = [String](repeating: expected, count: 50).joined(separator: "\n")
    for size in [nil, 7] as [Int?] {
      #expect(try rewrite(JSONEdit.Rule.share(), text, .lines, chunk: size) == edited)
    }
  }

  @Test(arguments: ["4111 1111 1111 1112", "version 1.2.3", "12:30:05", "a@b", "plain text"])
  func `the preset leaves other texts as they are`(text: String) throws {
    #expect(try rewrite(JSONEdit.Rule.share(), "[\"\(text)\"]") == "[\"\(text)\"]")
  }
}
