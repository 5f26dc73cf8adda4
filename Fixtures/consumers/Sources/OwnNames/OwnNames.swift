// Made by Scripts/pages names. Do not edit.
// swift-format-ignore-file

public import Foundation

public struct JSONBadRecord {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONBuilder {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONCheckpoint {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONCondition {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONEdit {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONError {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONEventHandler {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONFraming {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONInputRange {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONLimits {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONMatch {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONMatches {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONOptions {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONParser {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONPatch {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONPath {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONPointer {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONPushReader {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONRecord {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONRecordBlocks {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONRecordIndex {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONRecordOptions {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONRecordPushReader {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONRecordReader {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONRecordStep {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONRecords {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONReformatter {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONRejectWriter {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONRepresentable {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONSiftDecoder {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONSiftEncoder {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONSource {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONText {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONTimeUnit {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONTimeWindow {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONType {
  public let own: Int
  public init() { own = 1 }
}

public struct JSONWriterOptions {
  public let own: Int
  public init() { own = 1 }
}

extension Bool {
  public var jsonValue: Never? { nil }
}

extension CGFloat {
  public var jsonValue: Never? { nil }
}

extension Data {
  public var jsonValue: Never? { nil }
}

extension Decimal {
  public var jsonValue: Never? { nil }
}

extension Double {
  public var jsonValue: Never? { nil }
}

extension FixedWidthInteger {
  public var jsonValue: Never? { nil }
}

extension Float {
  public var jsonValue: Never? { nil }
}

extension NSData {
  public var jsonValue: Never? { nil }
}

extension NSNull {
  public var jsonValue: Never? { nil }
}

extension NSNumber {
  public var jsonValue: Never? { nil }
}

extension NSString {
  public var jsonValue: Never? { nil }
}

extension RawRepresentable {
  public var null: Never? { nil }
}

extension String {
  public var jsonValue: Never? { nil }
}
