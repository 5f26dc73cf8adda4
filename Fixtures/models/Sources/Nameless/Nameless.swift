public import SGYSwiftJSON

/// Compiled without what reflection needs.
open class NamelessModel: JSONCreatableObject {
  public var name: String?
  public var count = 0
}

public final class NamelessPaths: JSONCreatableObject, JSONKeyPathProvider {
  public var name: String?
  public var count = 0
  public static var jsonKeyPaths: [String: AnyKeyPath] { ["name": \NamelessPaths.name, "count": \NamelessPaths.count] }
}

public struct NamelessValue {
  public var number = 1
  public init() {}
}
