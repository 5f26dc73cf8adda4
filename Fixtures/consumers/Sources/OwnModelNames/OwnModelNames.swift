// Made by Scripts/pages names. Do not edit.
// swift-format-ignore-file

public import Foundation

public struct JSON {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONSubscriptType {
  public let own: Int
  public init() { own = 1 }
}

extension Int {
  public var jsonKey: Never? { nil }
}

extension String {
  public var jsonKey: Never? { nil }
}
