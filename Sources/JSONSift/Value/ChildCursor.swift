/// Goes over the elements or members of any container, in its order, and makes no `String` of a name.
struct ChildCursor: Sendable {
  /// The name of a member: where it stands in a text, or a program's.
  enum Name: Sendable {
    case source(Document, UInt32)
    case built(MemberName)

    var string: String {
      switch self {
      case .source(let document, let index): document.string(at: index)
      case .built(let name): name.string
      }
    }

    /// Lends the bytes of the name, with escapes decoded.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
      switch self {
      case .source(let document, let index): return unsafe document.withDecodedText(of: index, body)
      case .built(let name):
        var string = name.string
        return string.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
      }
    }
  }

  struct Child {
    let name: Name?
    let value: JSON
  }

  let isObject: Bool
  private var source: Document.Children?
  private let overlay: ContainerOverlay?
  private var added = 0

  /// Over the children of a container; a scalar has none.
  init(_ json: JSON) {
    switch json.storage {
    case .node(let document, let index):
      isObject = document.word(index).kind == .objectStart
      source = Document.Children(of: index, in: document)
      overlay = nil
    case .overlay(let overlay):
      isObject = overlay.isObject
      source = overlay.base.map { Document.Children(of: $0.index, in: $0.document) }
      self.overlay = overlay
    default:
      isObject = false
      overlay = nil
    }
  }

  @inline(__always)
  mutating func next() -> Child? {
    if let child = source?.next(), let document = source?.document {
      let value = overlay.map { $0.value(at: child.value, in: document) } ?? JSON(document, child.value)
      return Child(name: child.key.map { .source(document, $0) }, value: value)
    }
    return overlay == nil ? nil : nextAdded()
  }

  @inline(never)
  private mutating func nextAdded() -> Child? {
    guard let overlay else { return nil }
    defer { added += 1 }
    if isObject { return overlay.addedMember(added).map { Child(name: .built($0.name), value: $0.value) } }
    return overlay.addedElement(added).map { Child(name: nil, value: $0) }
  }
}

extension JSON {
  /// The value of the last member with this name, if this is an object that has one.
  func member(_ name: UnsafeRawBufferPointer) -> JSON? {
    switch raw {
    case .node(let document, let index):
      guard document.word(index).kind == .objectStart else { return nil }
      return unsafe document.member(name, of: index).map { JSON(document, $0) }
    case .overlay(let overlay): return unsafe overlay.isObject ? overlay.member(name) : nil
    case .lazy(let value):
      let member = unsafe value.member(name)
      return member.error == nil ? member : Optional.none
    default: return nil
    }
  }

  /// How many names the members of an object have.
  var distinctCount: Int {
    switch storage {
    case .node(let document, let index): document.distinctMemberCount(of: index)
    case .overlay(let overlay): overlay.distinctCount
    default: 0
    }
  }

  /// Whether a member of this object is behind all others of its name. Only members of a text can share one.
  func isLastOfItsName(_ name: ChildCursor.Name) -> Bool {
    guard case .source(let document, let key) = name else { return true }
    switch storage {
    case .node(_, let index): return document.isLastOfItsName(key, of: index)
    case .overlay(let overlay): return overlay.base.map { document.isLastOfItsName(key, of: $0.index) } ?? true
    default: return true
    }
  }
}
