import Testing

@Suite struct SelectTests {
  private static let records = "{\"id\":1.0,\"t\":[ 1,\"\\u00e9\" ]}\n{\"id\":2,\"t\":[],\"n\":{\"m\":null}}\n{}\n"

  @Test func `each record becomes an object of the selected values, in the order of the options`() throws {
    let result = try run(
      ["records", "--select", "m=$.n.m", "--select", "id=$.id", "--select", "all=$.t"], stdin: Self.records)
    result.expect(
      text: #"{"id":1.0,"all":[ 1,"\u00e9" ]}"# + "\n" + #"{"m":null,"id":2,"all":[]}"# + "\n{}\n", err: "", status: 0)
  }

  @Test(arguments: ["$.t[*]", "$.t[0:]", "$.t[?@]", "$['t']['x',0,1]"])
  func `a path that can select several values gives an array of all matches`(path: String) throws {
    let result = try run(["records", "--select", "t=\(path)"], stdin: Self.records)
    #expect(result.text == #"{"t":[1,"\u00e9"]}"# + "\n" + #"{"t":[]}"# + "\n" + #"{"t":[]}"# + "\n")
  }

  @Test func `a value on several lines is written on one line`() throws {
    let result = try run(["records", "--input", "json", "--select", "a=$.a"], stdin: "{\"a\":[\n 1,\r\n 2]}")
    #expect(result.text == "{\"a\":[ 1, 2]}\n")
  }

  @Test func `select can be combined with where, limit, count and on-error`() throws {
    let input = "{\"a\":1}\n{\"a\":\n{\"a\":2,\"b\":true}\n{\"a\":3,\"b\":true}\n"
    let arguments = ["records", "--where", "@.b", "--select", "a=$.a"]
    #expect(try run(arguments, stdin: input).text == "{\"a\":2}\n{\"a\":3}\n")
    #expect(try run(arguments + ["--limit", "1"], stdin: input).text == "{\"a\":2}\n")
    #expect(try run(arguments + ["--count"], stdin: input).text == "2\n")
    #expect(try run(arguments + ["--on-error", "stop"], stdin: input).status == 2)
    #expect(try run(arguments + ["-r"], stdin: input).text == "{\"a\":2}\n{\"a\":3}\n")
  }

  @Test(arguments: [["--format", "ndjson"], ["--format", "csv"], ["--where", "@.m1 || @.m2"]])
  func `500 columns have their values in the order of the options`(arguments: [String]) throws {
    // The columns are not in the order of the members. The record lacks every tenth member and has one duplicate.
    let numbers = (0..<500).map { $0 * 7 % 500 }
    let members = (0..<500).filter { $0 % 10 > 0 }.map { "\"m\($0)\":\($0)" } + ["\"m1\":-1"]
    let record = "{\(members.joined(separator: ","))}"
    let options = numbers.flatMap { ["--select", "c\($0)=$.m\($0)"] }
    let result = try run(["records"] + arguments + options, stdin: "\(record)\n\(record)\n")
    #expect(result.status == 0)
    if arguments.contains("csv") {
      let row = numbers.map { $0 % 10 > 0 ? "\($0)" : "" }.joined(separator: ",")
      #expect(result.text == numbers.map { "c\($0)" }.joined(separator: ",") + "\n\(row)\n\(row)\n")
    } else {
      let row = numbers.filter { $0 % 10 > 0 }.map { "\"c\($0)\":\($0)" }.joined(separator: ",")
      #expect(result.text == "{\(row)}\n{\(row)}\n")
    }
    let taken = try run(["records"] + options + ["--select", "c7=$.m8"], stdin: record)
    #expect(taken.err == "jsift: --select 'c7=$.m8': expected a unique name, found a duplicate\n")
  }

  @Test func `a duplicate name is rejected`() throws {
    let result = try run(["records", "--select", "a=$.a", "--select", "a=$.b"], stdin: "")
    result.expect(err: "jsift: --select 'a=$.b': expected a unique name, found a duplicate\n", status: 2)
  }

  @Test func `an argument that is not NAME=PATH is reported with a correction`() throws {
    let result = try run(["records", "--select", "$.id"], stdin: "")
    #expect(
      result.err == "jsift: --select '$.id': expected NAME=PATH, found no '='; did you mean --select 'id=$.id'?\n")
    #expect(result.status == 2)
  }
}
