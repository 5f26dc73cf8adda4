public import SGYSwiftJSON

/// Compiled without reflection metadata.
open class BareModel: JSONCreatableObject {
  public var name: String?
  public var count = 0
}

public final class BarePaths: JSONCreatableObject, JSONKeyPathProvider {
  public var name: String?
  public var count = 0
  public static var jsonKeyPaths: [String: AnyKeyPath] { ["name": \BarePaths.name, "count": \BarePaths.count] }
}

/// A proxy does not need reflection; neither does a sequence.
public struct BareProxy: JSONProxyProvider {
  public var number = 1
  public init() {}
  public var jsonProxy: Any { ["number": number] }
}

public struct BareTable: SGYDictionaryReflection {
  public static var keyValueTypes: (key: Any.Type, value: Any.Type) { (String.self, Int.self) }
  public var number = 1
  public init() {}
}

public struct BareList: SGYCollectionReflection {
  public static var elementType: Any.Type { Int.self }
  public var number = 1
  public init() {}
}

public struct BareSequence: Sequence, SGYCollectionReflection {
  public init() {}
  public func makeIterator() -> Array<Int>.Iterator { [1, 2].makeIterator() }
}

public struct BareValue {
  public var number = 1
  public init() {}
}
