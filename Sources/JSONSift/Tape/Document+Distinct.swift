extension Document {
  func distinctMemberCount(of index: UInt32) -> Int {
    var seen = 0
    var children = Children(of: index, in: self)
    while let child = children.next() { if let key = child.key, isLastOfItsName(key, of: index) { seen += 1 } }
    return seen
  }
  func isLastOfItsName(_ key: UInt32, of index: UInt32) -> Bool {
    unsafe withDecodedText(of: key) { unsafe member($0, of: index) } == key &+ 1
  }
}
