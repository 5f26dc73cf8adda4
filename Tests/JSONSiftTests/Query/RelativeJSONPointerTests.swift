import JSONSift
import TestSupport
import Testing

@Suite struct RelativeJSONPointerTests {
  /// The document of the draft's section 5.1.
  private static let json: JSON = ["foo": ["bar", "baz", "biz"], "highly": ["nested": ["objects": true]]]

  @Test(
    arguments: [
      ("/foo/1", "0", "baz"), ("/foo/1", "1/0", "bar"), ("/foo/1", "0-1", "bar"), ("/foo/1", "0+1", "biz"),
      ("/foo/1", "2/highly/nested/objects", true), ("/foo/1", "0#", 1), ("/foo/1", "0-1#", 0), ("/foo/1", "0+1#", 2),
      ("/foo/1", "1#", "foo"), ("/foo/1", "0+0", "baz"), ("/highly/nested", "0/objects", true),
      ("/highly/nested", "1/nested/objects", true), ("/highly/nested", "2/foo/0", "bar"),
      ("/highly/nested", "0#", "nested"), ("/highly/nested", "1#", "highly"), ("", "0/foo/0", "bar"),
    ] as [(String, String, JSON)])
  func `a relative pointer goes up, sideways and down`(start: String, text: String, value: JSON) throws {
    let relative = try JSONPointer.Relative(text)
    #expect(Self.json.value(at: relative, from: try JSONPointer(start)) == value)
    #expect(relative.description == text)
  }

  @Test(
    arguments: [
      ("/foo/1", "3", .notExist), ("/foo/1", "2#", .notExist), ("/foo/1", "0+2", .indexOutOfBounds),
      ("/foo/1", "0-2", .indexOutOfBounds), ("/foo/1", "0-99999999999999999999", .indexOutOfBounds),
      ("/foo/1", "0+99999999999999999999", .indexOutOfBounds), ("/foo/1", "99999999999999999999", .notExist),
      ("/foo", "0+1", .wrongType), ("", "0+1", .wrongType), ("", "0#", .notExist), ("/foo/7", "0", .indexOutOfBounds),
      ("/foo/1", "1/none", .wrongType), ("/foo/1", "2/none", .notExist),
    ] as [(String, String, JSON.AccessError)])
  func `a relative pointer without a value returns null with the reason`(
    start: String, text: String, error: JSON.AccessError
  ) throws { #expect(Self.json.value(at: try JSONPointer.Relative(text), from: try JSONPointer(start)).error == error) }

  @Test(arguments: [
    ("", "byte 0: expected the number of levels up, without a sign, found the end of the text"),
    ("/a", "byte 0: expected the number of levels up, without a sign, found '/'"),
    ("-1/a", "byte 0: expected the number of levels up, without a sign, found '-'"),
    ("01", "byte 0: expected a number without zeros before it, found a digit"),
    ("0+01", "byte 2: expected a number without zeros before it, found a digit"),
    ("0+", "byte 2: expected a number of elements after the sign, found the end of the text"),
    ("1a", "byte 1: expected '/', '#' or the end after the number, found a letter"),
    ("1\n", "byte 1: expected '/', '#' or the end after the number, found a line feed"),
    ("1#/a", "byte 2: expected the end after '#', found '/'"),
    ("12/é~", "byte 6: expected '0' or '1' after '~': '~0' is '~' and '~1' is '/', found the end of the text"),
  ])
  func `an invalid relative pointer gets this message`(text: String, message: String) {
    let error = jsonError { _ = try JSONPointer.Relative(text) }
    #expect(error?.code == .invalidPath)
    #expect(error?.description == message)
  }
}
