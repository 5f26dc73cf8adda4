import JSONSift

/// Masks what a report shows of the values of the input, with the rules of `edit --preset share`.
struct ReportMask {
  /// Which examples a report shows.
  enum Examples: String, CaseIterable {
    case none, masked, all
  }

  let examples: Examples
  private let edit: JSONEdit?

  init(_ examples: Examples) {
    self.examples = examples
    var options = JSONEdit.Options()
    options.editsInside = true
    edit = examples == .all ? nil : try? JSONEdit(JSONEdit.Rule.share(), options: options)
  }

  /// Returns a text of the report that holds names or values of the input.
  func text(_ text: String) -> String {
    guard edit != nil else { return text }
    if case .text(let masked) = cell(.text(text), at: []) { return masked }
    return "***"
  }

  /// Returns a value, which stands below members with these names.
  func cell(_ cell: Cell, at names: [String]) -> Cell {
    if case .absent = cell { return cell }
    guard let edit else { return cell }
    var bytes: [UInt8] = []
    for name in names {
      bytes.append(UInt8(ascii: "{"))
      bytes.append(quoting: name)
      bytes.append(UInt8(ascii: ":"))
    }
    bytes.append(cell: cell)
    bytes += [UInt8](repeating: UInt8(ascii: "}"), count: names.count)
    // What cannot be masked is not shown.
    guard var value = try? edit.edited(JSON(parsing: bytes)) else { return .text("***") }
    for _ in names {
      var child: JSON?
      for (_, member) in value {
        child = member
        break
      }
      guard let child else { return .text("***") }
      value = child
    }
    return Cell(value)
  }
}
