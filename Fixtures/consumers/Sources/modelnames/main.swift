// Made by Scripts/pages names. Do not edit.
// swift-format-ignore-file

import Foundation
import OwnModelNames
import OwnNames
import SGYSwiftJSON

func member0(_ value: Bool) -> Never? {
  let own = value.jsonValue
  return own
}
func member1(_ value: CGFloat) -> Never? {
  let own = value.jsonValue
  return own
}
func member2(_ value: Data) -> Never? {
  let own = value.jsonValue
  return own
}
func member3(_ value: Decimal) -> Never? {
  let own = value.jsonValue
  return own
}
func member4(_ value: Double) -> Never? {
  let own = value.jsonValue
  return own
}
func member5(_ value: some FixedWidthInteger) -> Never? {
  let own = value.jsonValue
  return own
}
func member6(_ value: Float) -> Never? {
  let own = value.jsonValue
  return own
}
func member7(_ value: Int) -> Never? {
  let own = value.jsonKey
  return own
}
func member8(_ value: NSData) -> Never? {
  let own = value.jsonValue
  return own
}
func member9(_ value: NSNull) -> Never? {
  let own = value.jsonValue
  return own
}
func member10(_ value: NSNumber) -> Never? {
  let own = value.jsonValue
  return own
}
func member11(_ value: NSString) -> Never? {
  let own = value.jsonValue
  return own
}
func member12(_ value: some RawRepresentable) -> Never? {
  let own = value.null
  return own
}
func member13(_ value: String) -> Never? {
  let own = value.jsonKey
  return own
}
func member14(_ value: String) -> Never? {
  let own = value.jsonValue
  return own
}

var count = 0
do {
  let own: JSONBadRecord = JSONBadRecord()
  count += own.own
}
do {
  let own: JSONBuilder = JSONBuilder()
  count += own.own
}
do {
  let own: JSONCheckpoint = JSONCheckpoint()
  count += own.own
}
do {
  let own: JSONCondition = JSONCondition()
  count += own.own
}
do {
  let own: JSONEdit = JSONEdit()
  count += own.own
}
do {
  let own: JSONError = JSONError()
  count += own.own
}
do {
  let own: JSONEventHandler = JSONEventHandler()
  count += own.own
}
do {
  let own: JSONFraming = JSONFraming()
  count += own.own
}
do {
  let own: JSONInputRange = JSONInputRange()
  count += own.own
}
do {
  let own: JSONLimits = JSONLimits()
  count += own.own
}
do {
  let own: JSONMatch = JSONMatch()
  count += own.own
}
do {
  let own: JSONMatches = JSONMatches()
  count += own.own
}
do {
  let own: JSONOptions = JSONOptions()
  count += own.own
}
do {
  let own: JSONParser = JSONParser()
  count += own.own
}
do {
  let own: JSONPatch = JSONPatch()
  count += own.own
}
do {
  let own: JSONPath = JSONPath()
  count += own.own
}
do {
  let own: JSONPointer = JSONPointer()
  count += own.own
}
do {
  let own: JSONPushReader = JSONPushReader()
  count += own.own
}
do {
  let own: JSONRecord = JSONRecord()
  count += own.own
}
do {
  let own: JSONRecordBlocks = JSONRecordBlocks()
  count += own.own
}
do {
  let own: JSONRecordIndex = JSONRecordIndex()
  count += own.own
}
do {
  let own: JSONRecordOptions = JSONRecordOptions()
  count += own.own
}
do {
  let own: JSONRecordPushReader = JSONRecordPushReader()
  count += own.own
}
do {
  let own: JSONRecordReader = JSONRecordReader()
  count += own.own
}
do {
  let own: JSONRecordStep = JSONRecordStep()
  count += own.own
}
do {
  let own: JSONRecords = JSONRecords()
  count += own.own
}
do {
  let own: JSONReformatter = JSONReformatter()
  count += own.own
}
do {
  let own: JSONRejectWriter = JSONRejectWriter()
  count += own.own
}
do {
  let own: JSONRepresentable = JSONRepresentable()
  count += own.own
}
do {
  let own: JSONSiftDecoder = JSONSiftDecoder()
  count += own.own
}
do {
  let own: JSONSiftEncoder = JSONSiftEncoder()
  count += own.own
}
do {
  let own: JSONSource = JSONSource()
  count += own.own
}
do {
  let own: JSONText = JSONText()
  count += own.own
}
do {
  let own: JSONTimeUnit = JSONTimeUnit()
  count += own.own
}
do {
  let own: JSONTimeWindow = JSONTimeWindow()
  count += own.own
}
do {
  let own: JSONType = JSONType()
  count += own.own
}
do {
  let own: JSONWriterOptions = JSONWriterOptions()
  count += own.own
}
do {
  let own: JSON = JSON()
  count += own.own
}
do {
  let own: JSONSubscriptType = JSONSubscriptType()
  count += own.own
}

final class Person: JSONCreatableObject {
  var name: String?
}
let person: Person = try SGYJSONDeserializer().deserialize(Data(#"{"name":"Ada"}"#.utf8))
guard try SGYJSONSerializer().serialize(person) == Data(#"{"name":"Ada"}"#.utf8) else { exit(1) }
print("modelnames: \(count) names of JSONSift are the program's own beside SGYSwiftJSON")
