public import Foundation
public import JSONSift

extension JSON {
  /// The URL in a string; `nil` if the string is empty or not a URL. Setting it stores the text of the URL, or null.
  ///
  /// Text that is a valid URL, or that contains a percent escape, is used unchanged. In other text, characters that a
  /// URL does not permit are percent-escaped first: spaces and non-ASCII characters. A `#` begins the fragment and is
  /// not escaped.
  ///
  /// - Complexity: O(length of the string).
  public var url: Foundation.URL? {
    get {
      guard let text = string else { return nil }
      if let url = Foundation.URL(string: text, encodingInvalidCharacters: false) { return url }
      return Foundation.URL(string: Self.hasPercentEscape(text) ? text : Self.escaped(text))
    }
    set { self = newValue.map { $0.absoluteString.jsonValue } ?? .null }
  }

  private static func hasPercentEscape(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    func isHexadecimal(_ index: Int) -> Bool {
      index < bytes.count && Character(UnicodeScalar(bytes[index])).isHexDigit
    }
    return bytes.indices.contains {
      bytes[$0] == UInt8(ascii: "%") && isHexadecimal($0 + 1) && isHexadecimal($0 + 2)
    }
  }

  private static func escaped(_ text: String) -> String {
    // A fragment may not contain a second `#`.
    text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      .map { String($0).addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? "" }
      .joined(separator: "#")
  }
}
