public import SGYSwiftJSON

/// Compiled without what reflection needs.
open class BareModel: JSONCreatableObject {
  public var name: String?
  public var count = 0
}

public final class BarePaths: JSONCreatableObject, JSONKeyPathProvider {
  public var name: String?
  public var count = 0
  public static var jsonKeyPaths: [String: AnyKeyPath] { ["name": \BarePaths.name, "count": \BarePaths.count] }
}

public struct BareValue {
  public var number = 1
  public init() {}
}
