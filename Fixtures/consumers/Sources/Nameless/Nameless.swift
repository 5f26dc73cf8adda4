public import SGYSwiftJSON

/// Compiled without the names that reflection needs.
open class NamelessModel: JSONCreatableObject {
  public var name: String?
  public var count = 0
}

public final class NamelessPaths: JSONCreatableObject, JSONKeyPathProvider {
  public var name: String?
  public var count = 0
  public static var jsonKeyPaths: [String: AnyKeyPath] { ["name": \NamelessPaths.name, "count": \NamelessPaths.count] }
}

/// A proxy does not need reflection; neither does a sequence.
public struct NamelessProxy: JSONProxyProvider {
  public var number = 1
  public init() {}
  public var jsonProxy: Any { ["number": number] }
}

public struct NamelessTable: SGYDictionaryReflection {
  public static var keyValueTypes: (key: Any.Type, value: Any.Type) { (String.self, Int.self) }
  public var number = 1
  public init() {}
}

public struct NamelessList: SGYCollectionReflection {
  public static var elementType: Any.Type { Int.self }
  public var number = 1
  public init() {}
}

public struct NamelessSequence: Sequence, SGYCollectionReflection {
  public init() {}
  public func makeIterator() -> Array<Int>.Iterator { [1, 2].makeIterator() }
}

public struct NamelessValue {
  public var number = 1
  public init() {}
}
