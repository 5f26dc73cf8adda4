import Foundation
import JSONSift

/// The inputs with which the fuzzer begins: the fixtures, and the texts and queries listed here. The bytes that choose the
/// options of the target precede each.
package enum Seeds {
  /// The folder of the checkout.
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Writes the seeds of a target into a folder.
  package static func write(of target: FuzzTarget, to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (number, seed) in try seeds(of: target.name).enumerated() {
      try Data(seed).write(to: folder.appending(path: "seed-\(number)"))
    }
  }

  private static func seeds(of name: String) throws -> [[UInt8]] {
    let texts = try texts()
    var seeds: [[UInt8]] = []
    for (number, text) in texts.enumerated() {
      switch name {
      case "validation": seeds.append([UInt8(number % 4), 0, UInt8(number % 20)] + text)
      case "path": seeds.append([0, UInt8(number % 2), UInt8(number % 20)] + pick(queries, number) + text)
      case "document": seeds.append([0] + numbers(8, number) + text)
      case "chunks": seeds.append([0, UInt8(number % 256)] + numbers(6, number) + text)
      case "lines": seeds.append([UInt8(number % 7), 0, UInt8(number % 8)] + numbers(4, number) + text)
      case "records":
        seeds.append([UInt8(number % 7), 0, UInt8(number % 4), UInt8(number % 30)] + pick(expressions, number) + text)
      case "ranges": seeds.append([UInt8(number % 3), 0, UInt8(number % 8)] + numbers(5, number) + text)
      case "index": seeds.append([0, UInt8(number % 2)] + pick(expressions, number) + text)
      case "columns": seeds.append([0] + numbers(4, number) + [UInt8(number % 3 * 7), UInt8(number % 4)] + text)
      case "edit": seeds.append([UInt8(number % 4), 0, UInt8(number % 128), 0] + numbers(6, number) + text)
      case "write": seeds.append(numbers(2, number) + numbers(number % 4 * 3, number) + [0x0A] + text)
      case "decode":
        // Each text listed here is decoded as every type, without strategies and with them.
        let types = number < listed.count ? Array(0..<14) + Array(70..<84) : [number % 128]
        for type in types { seeds.append([UInt8(type)] + text) }
      case "swifty": seeds.append(numbers(3, number) + text)
      case "unwrap":
        // The text as a string, and as an element.
        let inside = try JSON(String(decoding: text, as: UTF8.self)).bytes()
        let log = Array(#"{"log":"#.utf8) + inside + Array("}\n{\"r\":[".utf8) + text + Array("]}".utf8)
        seeds.append([UInt8(number % 256), 0, UInt8(number % 20)] + log)
      case "sgy": seeds.append([UInt8(number % 2)] + text)
      default: seeds.append([UInt8(number % 8)] + numbers(5, number) + text)
      }
    }
    switch name {
    case "path":
      let document = "[\(varied.joined(separator: ","))]"
      seeds += paths.map { [0, 0, 0] + Array("\($0)\n\(document)".utf8) }
      seeds += pairs(queries) { [0, $0 % 2, $0 % 7 * 3] }
    case "records": seeds += conditional { [$0 % 7, 0, $0 % 4, $0 % 5 * 7] }
    case "index": seeds += conditional { [0, $0 % 2] }
    case "columns":
      let texts = (values + times.map { "\"\($0)\"" }).map { Array("{\"a\":\($0)}".utf8) }
      for type in 0..<12 {
        // A multiple of ten selects `$.a` for the first column. The same number selects the number of columns.
        let choice = UInt8((type * 16 + 9) / 10 * 10)
        seeds += texts.map { [0, choice, 0, 0, 0, 0, 1] + $0 }
      }
    case "sgy":
      for name in names { seeds += values.map { [0] + Array("{\"\(name)\":\($0)}".utf8) } }
    case "decode": seeds += members.flatMap { text in [72, 2, 74, 4].map { [UInt8($0)] + Array(text.utf8) } }
    default: break
    }
    return seeds
  }

  /// Bytes that differ from seed to seed, and are never a line feed.
  private static func numbers(_ count: Int, _ seed: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: (seed + 1) * 37 + $0 * 59) | 1 }.map { $0 == 0x0A ? 0x0B : $0 }
  }

  /// The seeds of the targets that read lines by a condition.
  private static func conditional(_ choices: (UInt8) -> [UInt8]) -> [[UInt8]] {
    let lines = varied.joined(separator: "\n")
    let whole = conditions.map { "\($0)\n\(lines)" } + categorized + named
    return whole.map { choices(0) + Array($0.utf8) } + pairs(expressions, choices)
  }

  /// Each line with each text listed here, behind choices that depend on the number of the pair.
  private static func pairs(_ lines: [String], _ choices: (UInt8) -> [UInt8]) -> [[UInt8]] {
    lines.enumerated().flatMap { line in
      listed.enumerated().map { text in
        choices(UInt8(truncatingIfNeeded: line.offset &* 31 &+ text.offset))
          + Array("\(line.element)\n\(text.element)".utf8)
      }
    }
  }

  private static func pick(_ lines: [String], _ number: Int) -> [UInt8] {
    Array(lines[number % lines.count].utf8) + [0x0A]
  }

  private static let paths = queries + patterns.map { "$..[?search(@.a,'\(literal($0))')]" }

  private static let conditions =
    expressions
    + patterns.flatMap { pattern in
      ["match(@.a", "match(@.b", "search(@.a", "search(@.b"].map { "\($0), '\(literal(pattern))')" }
    }

  /// Returns the text as it stands inside a string literal of a path.
  private static func literal(_ text: String) -> String { text.replacing("\\", with: "\\\\") }

  /// Regular expressions (RFC 9485): each construct, each category, and each kind of error that a short pattern can have.
  /// No text contains `#`, so a search for a pattern that ends in it reads the whole text.
  private static let patterns = [
    #"\p{Lu}|\p{Ll}|\p{Lt}|\p{Lm}|\p{Lo}"#, #"[\p{Mn}\p{Mc}\p{Me}]"#, #"[^\p{Nd}\p{Nl}\p{No}]"#,
    #"\p{Pc}*\p{Pd}*\p{Ps}*\p{Pe}*\p{Pi}*\p{Pf}*\p{Po}"#, #"\p{Sm}|\p{Sc}|\p{Sk}|\p{So}"#, #"[\p{Zs}\p{Zl}\p{Zp}]"#,
    #"\P{Cc}\P{Cf}\P{Co}\P{Cn}"#, #"\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\p{C}"#, #"\n|\r|\t|\(\)\*\+\-\.\?\[\\\]\^\{\|\}"#,
    #"[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\p{C}]*"#, #"[\p{Lu}\p{Nd}]+#"#, #"[^\p{L}\p{Nd}]+#"#,
    #"(\p{M}|\p{S}\p{P}*)+\p{C}#"#, "(a|b|)*c?", "((x)|(y(z)))+",
    "a{0}b{1}c{1,1}", "[a-cx-z]{2,}[^0-9]", "[-a]|[a-]|[é-ü中]", "^ab.*|z$", "()*|(|)",
    "é中😀",
    "(((a{9}){9}){9}){9}", "a{999999999}", "a{3,2}", "a{,2}", "a{2", "a{2,3", "(a", "a)", "*a", "^*", "[", "[]", "[^]",
    "[a",
    "[a--]", "[a-c-e]", "[b-a]", "[a-\\p{L}]", "[[]", "[a-", "a]", "}", #"\"#, #"\x"#, #"\p"#, #"\p{"#, #"\p{X}"#,
    #"\p{L"#,
    String(repeating: "(", count: 101),
  ]

  private static let queries = [
    "$", "$.a", "$.a[*]", "$..b", "$[?@.a==1]", "$[-1]", "$[0:3:2]", "$['a','b'][*]", "$[?count(@.*)>1]",
    "$[?match(@.a,'b.*')]", "$..[?@.a&&!@.b||@.c<'x']", "$.*.*", "$[?length(@.a)>=2]", "$[?value(@..a)==$.b]",
    "$[::-1]", "$[?match(@.a,'(a|b)[^c-e]{1,3}\\\\p{Lu}*')]", "$[?search(@,'^x.+y$|z?')]",
    "$[?search(@.b,'[\\\\P{L}\\\\-]')]",
    #"$["\u0061",'\'','\ud83d\ude00',"é"]"#, "$..['a',0,*,1:3,?@.b]", "$[?$.a[0]==@['b'][-1]]",
    "$[?@.a==1||@.a==1.0e0]",
    "$[?@.a==null||@.b!=true||(!(@.c>='d'))]", "$[?length(@.a)==length(value($..b))]", "$[?(@.a<@.b)&&(@[0]>-1)]",
    "$ [ ? @ [ 'a' ] == 'x' , 1 ]", "$[?@[?@.a>1]]", "$[-1:-5:-2]", "$[10000:0:-3]", "$..[?@..a]..b", "$.store..*",
    "$[?count($..*)==3]", "$[?match(@.a,$.b)]", "$[9007199254740992]", "$[01]", "$[?@.a==]", "$.[a]", "a.b",
    "$[?match(@.a,'[')]", "$[?length(@.*)>1]", "$[?foo(@.a)]", "$['\\ud800']", "$.a b", "$[1:2:3:4]", "$[?1==1]",
    "$[?@.a=1]", "$[?lenght(@.a)>1]", "$[?cuont(@.*)>1]", "$[?match(@.a)]", "$[?match(@.a,'a','b')]", "$[?count(1)>1]",
    "$[?length('x')==1]", "$[?value(@.a)]", "$[?@.a==1e5]", "$[?@.a<1.00000000000000000001]", "$[?@.a>=-1e-400]",
    "$[?@.a==123456789012345678901234567890]", "$[?@.b==1e999999999999]", "$[?(@.a", "$[?!", "$['a", "$[1",
    "$[?@.a>'\\ud83d\\ude00']",
  ]

  private static let expressions = [
    "@.a == 1", "@.level == 'error'", "@.a && @.b", "@.a > 1 || @.b == null", "match(@.a, '[a-c]+')",
    "search(@.b, 'x')",
    "@.tags[0] == 'x'", "!@.a", "@ == 1", "@.a == 1.50e1 || @.a == 'x'", "@['a'] != 'longer than eight bytes'",
    "match(@.b, '(ab|cd)*[^x]{2,3}')", "search(@.a, '^b.+d$') && @.b", "!(@.a < 2) || search(@.b, '\\\\p{Lu}')",
    "@.a == null && @.b == false", "$.a == @.b", "length(@.a) == length(@.b)", "value(@..id) == 7", "@[0] || @[-1]",
    "@.a == 'é' || @.a == '\\u0061'", "@.a >= 'b' && @.a <= 'c'", "@.a == -0.0", "@[?@.a]", "@.a == 1 && @.a == 2",
    "@.level == 'error' && @.user.id > 6 && match(@.b, 'x.')", "@.a == 1e400", "@.*", "@.a[1:3]", "@['a','b']",
    "count(@.*) > 1", "@..a == 'abcdefgh'", "@.user.id == 42", "length(@.name) < 5",
  ]

  /// Returns the texts listed here first, and then those of the fixtures that are short enough. Seeds of `decode` rely on
  /// the order.
  private static func texts() throws -> [[UInt8]] {
    var texts: [[UInt8]] = listed.map { Array($0.utf8) }
    for name in ["accept", "reject", "implementation-defined"] {
      let table = try String(contentsOf: root.appending(path: "Fixtures/conformance/\(name).tsv"), encoding: .utf8)
      for line in table.split(separator: "\n") where !line.hasPrefix("#") {
        texts.append(unescaped(line.prefix { $0 != "\t" }))
      }
    }
    for folder in ["Fixtures/examples", "Fixtures/tool/input"] {
      let path = root.appending(path: folder).path
      for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
        let data = try? Data(contentsOf: root.appending(path: "\(folder)/\(name)"))
        if let data, data.count < 2000 { texts.append([UInt8](data)) }
      }
    }
    return texts
  }

  private static let listed = varied + extra

  /// Values of each kind, and at the limits of the types that the targets `columns` and `sgy` read.
  private static let values = [
    "0", "-0", "-0.0", "1", "-129", "127", "1.5", "1e2", "1E+2", "-1e-2", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "1e400", "1e-400", "3.5e38", "1234567.89",
    "12345678.9",
    "0.005", #""""#, #""x""#, #""é""#, #""\u0041""#, #""\ud83d\ude00""#, #""red""#, #""1.5""#, "true", "false", "null",
    #""2025-03-01""#, #""2025-02-30""#, #""0000-01-01""#, #""9999-12-31""#, #""2025-03-01T08:30:00Z""#,
    #""2025-03-01T08:30:00.123456789-01:30""#, #""1500-01-01T00:00:00Z""#, #""https://example.net/a?b#c""#, "[]",
    "[1,2]",
    #"[1,null,"x"]"#, "[[1]]", "{}", #"{"a":"x"}"#, #"{"a":1,"b":2}"#, #"{"b":[1],"a":"\n"}"#, #"{"a":1,"a":2}"#,
    #"[{"a":1},{"a":"x"},null,{}]"#, #"{"k":{"a":1},"l":null}"#, #"[{"a":1,"double":2.5,"b":"x","list":[1]}]"#,
  ]

  /// The names of the properties of the model of the target `sgy`, and one that it does not have.
  private static let names = [
    "a", "b", "double", "float", "bool", "small", "large", "list", "optionals", "map", "models", "byName", "colour",
    "any",
    "anyList", "number", "array", "dictionary", "date", "url", "constant", "other",
  ]

  /// Times as RFC 3339 defines them, and texts that are not times.
  private static let times = [
    "2025-03-01T08:30:00+01:00", "2025-03-01T08:30:00-0130", "2025-03-01t08:30:00z", "2025-12-31T23:59:60Z",
    "2024-02-29T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2000-02-29T00:00:00Z",
    "2025-04-31T00:00:00Z",
    "2025-00-01T00:00:00Z", "2025-13-01T00:00:00Z", "2025-01-00T00:00:00Z", "2025-01-32T00:00:00Z",
    "2025-01-01T24:00:00Z",
    "2025-01-01T08:60:00Z", "2025-01-01T08:30:61Z", "2025-3-1T8:3:0Z", "2025-03-01 08:30:00Z", "20250301T083000Z",
    "2025-03-01T08:30Z", "2025-03-01T08:30:00", "2025-03-01T08:30:00.1Z", "2025-03-01T08:30:00+24:00",
    "2025-03-01T08:30:00+0",
    "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "12025-01-01T00:00:00Z", "2025-03-01",
  ]

  /// Objects for the types of the target `decode`: times, names that a strategy changes, and objects with many members.
  private static let members =
    times.map { #"{"date":"\#($0)","url":"\#($0)"}"# }
    + ["_a", "a_", "__a__", "long__name", "LONG_NAME", "long_Name", "é_é", "_", "__", "a_1", "longName_"].map {
      #"{"\#($0)":"x","d":[1]}"#
    }
    + [7, 8, 9, 15, 16, 17, 33, 65, 130].map { count in
      "{\((0..<count).map { #""k\#($0)":{"none":{}}"# }.joined(separator: ",")),\"a\":1,\"b\":null}"
    }

  /// Texts for every path and condition: numbers in several spellings, and a character of each category.
  private static let varied = [
    #"{"a":"abcxyzxyz","b":"AaǅʰªaǃǈA"}"#,
    #"{"a":"\u0301\u0903\u20dd1\u2160\u00bd_-()\u00ab\u00bb!+$^\u00a9","b":"a"}"#,
    #"{"a":" \u2028\u2029\u0001\u00ad\ue000\u0378\n\r\t()*+-.?[\\]^{|}","b":"ab","c":[{"a":"é中😀"}]}"#,
    #"{"a":"\#(characters)","b":[]}"#, #"{"a":1e5,"b":100000}"#,
    #"{"a":1.00000000000000000001,"b":-1E-400}"#, #"{"a":123456789012345678901234567890,"b":0.0000001e7}"#,
    #"[[1,2,3],{"a":{"b":[1]}},null,true]"#,
  ]

  /// A character of each general category beyond ASCII.
  private static let characters =
    "ÀßǅʰªǃÙ\u{300}\u{903}\u{488}٠ᛮ²‿֊༺༻«»¡±¢¨¦\u{A0}\u{2028}\u{2029}\u{80}\u{AD}\u{E000}\u{378}"

  /// Conditions with a regular expression, and a line with a character for each.
  private static let categorized = characters.unicodeScalars.flatMap { scalar in
    [#"search(@.a, '\\p{Lu}\\p{Lu}')"#, #"match(@.a, '[^\\p{Lu}\\p{Nd}x]+')"#, #"match(@.a, '(.|\\P{L})*')"#]
      .map { "\($0)\n{\"a\":\"\(scalar)x\(scalar)\"}\n" }
  }

  /// Conditions with long names and with characters that are escaped in names, and lines for them.
  private static let named =
    (Array(0..<40) + [47, 48, 49, 63, 64, 65, 127, 128, 129]).flatMap { count in
      ["", "/", #"a\\"#, #"\u0001"#].map { end in
        let name = String(repeating: "n", count: count) + end
        return "@['\(name)'] == 1 && @['b\(name)'] != 'x' || @.b\n{\"\(name)\":1}\n{\"b\":2}\n"
      }
    }

  /// Texts with the names that the targets ask for.
  private static let extra = [
    #"{"a":[1,2,{"b":"x"}],"b":{"a":1},"c":"é\u00e9\n"}"#, #"[{"a":1,"b":2},{"a":"bcd"},[1,2,3],{"c":"w"}]"#,
    "{\"a\":1,\"level\":\"error\"}\n{\"a\":2}\n\n{\"a\":}\n[1,2]\n", "\u{1E}{\"a\":1}\n\u{1E}[2]\n",
    "{\"a\":1}{\"a\":2} 3 4 \"x\"", "2025-01-01 host {\"a\":1}\n", "{\"a\":[{\"x\":1},{\"x\":2}],\"b\":[]}",
    #"{"double":1.5,"float":2,"bool":true,"small":4,"large":18446744073709551615,"list":[1,2],"optionals":["a",null]}"#,
    #"{"set":["a"],"map":{"k":0.5},"models":[{"a":1,"b":"x"}],"byName":{"n":{"a":2}},"colour":"red","any":[1,{}]}"#,
    #"{"anyList":[1,"a",null],"number":7,"array":[[]],"dictionary":{"k":{}},"url":"https://example.net/"}"#,
    #"{"a":1,"b":{"x":true},"long_name":"s","c":"longName","d":[1,null],"date":"2025-03-01T08:30:00Z","float":0.5}"#,
    #"{"circle":{"radius":1.5}}"#, #"{"pair":{"_0":1,"_1":"x"}}"#, #"{"a":1,"next":{"a":2,"next":null}}"#,
    #"{"k":[{"none":{}},{"pair":{"_0":7}}]}"#, "[1,2,3,4,5,6,7,8,9,10,11,12]", #"{"a":1,"a":2,"\u0061":3}"#,
    "{\"a\":1,\"b\":\"x\\n\",\"user\":{\"id\":7}}\n{\"a\":2.5,\"b\":null,\"user\":{\"id\":\"8\"}}\n{\"a\":3,\"b\":\"\",\"user\":[]}",
    #"{"a":"2025-03-01T08:30:00.25+01:00","b":"2025-03-01","c":1234567.89,"d":[1,2,null],"x":{"a":"s","b":[1]}}"#,
    #"{"a":{"b":[{"a":1},{"a":null}],"c":-0.005},"b":{"a":9223372036854775807},"user":{"id":"é"},"level":true}"#,
    #"{"a":"ab","b":"abcdxyz","level":"error","user":{"id":42},"tags":["x"]}"#, #"{"a":"b12d","b":"É","name":"none"}"#,
    #"{"url":"","date":"2025-02-30T24:00:00Z","float":"nan","choice":{"pair":{"_0":1,"_1":null}},"d":[128]}"#,
    #"{"a":65535,"next":{"a":0,"next":{"a":65536}}}"#, #"{"a":1,"b":2,"longName":3}"#,
    "[1.0,1e2,-9223372036854775809,0.1]",
    #"{"k":[{"circle":{"radius":"-inf"}},{"none":{}},{"pair":{"_0":-1,"_1":"\ud83d\ude00"}}],"long_name":"","_a":1}"#,
    #"{"aa":1,"ab":2,"ac":3,"ad":4,"ae":5,"af":6,"ag":7,"ah":8,"ai":9,"longName":"x","float":3.5e38,"b":{"x":false}}"#,
    "[[[[[[[[[[{\"a\":[[[1]]]}]]]]]]]]]]", "[-0.0,1e5,1E-5,0.1,123456789012345678901234567890,1e400]",
  ]

  /// Decodes `%41`.
  private static func unescaped(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
