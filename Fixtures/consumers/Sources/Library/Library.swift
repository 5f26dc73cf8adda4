import Foundation
public import SGYSwiftJSON

/// A struct whose size is unknown to other modules.
public struct Span: Equatable {
  public var first = 1
  var second: UInt8 = 2
  public init() {}
}

/// A superclass of another module, with private properties and properties that JSON cannot set.
open class LibraryModel: JSONCreatableObject {
  private var secret: Int64 = -1
  public var span = Span()
  public var title: String?
  public let fixed = 7
  private var tail = "tail"

  public var hidden: String { "\(secret) \(tail)" }
}

open class LibraryBox<Content>: LibraryModel {
  public var content: Content?
}
