/// How a path is answered over a stream: what is kept in memory besides the window that is read.
///
/// ```swift
/// print(path.streaming)  // streams; buffers each value that a filter looks at
/// ```
public struct JSONPathStreaming: Sendable, Hashable, CustomStringConvertible {
  /// Whether and how the path can be asked of one document that is streamed. Of records every path can.
  public enum Form: Sendable, Hashable {
    /// Matches are told as they are read; nothing else is kept.
    case streams
    /// Something else is kept too: ``JSONPathStreaming/buffers``.
    case buffers
    /// It needs the whole text.
    case refused
  }

  /// What is kept, and how much of it.
  public enum Buffer: Sendable, Hashable {
    /// One value at a time that a filter looks at.
    case candidates
    /// So many of the last elements of an array. Their texts together may have ``JSONLimits/recordBytes``, and what else
    /// they cost ``JSONLimits/tapeBytes``: 16 bytes for a scalar, and the tape of a container.
    case lastElements(Int)
    /// All elements of an array, until it ends, with the same limits.
    case elements
    /// Each value that the first steps lead to, as a whole, at which the rest of the path is asked. The steps are given.
    case values(at: String)
    /// Matches, until the outermost container in which they can stand ends: those nearer to it come first. The texts of
    /// those of one path together may have ``JSONLimits/recordBytes``, and what else they cost four times as many, or
    /// ``JSONLimits/tapeBytes`` if that is less: 40 bytes for a match and some for its place, and the tape of a container.
    case matches
  }

  /// Whether and how it streams.
  public let form: Form
  /// What is kept, from the outside in.
  public let buffers: [Buffer]
  /// The reading stops as soon as the answer is known; bytes after that are not checked.
  public let stopsEarly: Bool
  /// With ``JSONOptions/fastForward-swift.property`` what cannot match is passed over. Not for `$` itself and for a path that begins with
  /// `..`: there is nothing that cannot.
  public let canFastForward: Bool
  private let reason: String

  init(_ path: JSONPath) {
    do throws(JSONError) {
      let query = try path.checked()
      let plan = try StreamPlan(query)
      var buffers: [Buffer] = []
      switch plan.action {
      case .match: break
      case .filter: buffers.append(.candidates)
      case .window(let window): buffers.append(window.size.map { .lastElements($0) } ?? .elements)
      case .evaluate:
        let steps = query.segments.prefix(plan.steps.count)
        buffers.append(.values(at: PathQuery(isRelative: false, segments: Array(steps)).description))
      }
      if plan.descendant != nil { buffers.append(.matches) }
      self.buffers = buffers
      form = buffers.isEmpty ? .streams : .buffers
      stopsEarly = plan.isDefinite
      canFastForward = !plan.steps.isEmpty && plan.descendant != 0
      reason = ""
    } catch {
      form = .refused
      buffers = []
      stopsEarly = false
      canFastForward = false
      reason = error.message
    }
  }

  /// One line for people; its wording may change in any release.
  public var description: String {
    form == .streams && stopsEarly ? summary + ", and stops when it is answered" : summary
  }

  /// The same without ``stopsEarly``.
  package var summary: String {
    switch form {
    case .refused: return "cannot be streamed: \(reason)"
    case .streams: return "streams"
    case .buffers:
      let words = buffers.map { buffer in
        switch buffer {
        case .candidates: "each value that the filter looks at, one at a time"
        case .lastElements(1): "the last element of an array"
        case .lastElements(let count): "the last \(count) elements of an array"
        case .elements: "the elements of an array until it ends"
        case .values(let steps): "each value at \(steps), as a whole"
        case .matches: "matches until the outermost container that holds them ends"
        }
      }
      return "streams; buffers " + words.joined(separator: ", and ")
    }
  }
}

extension JSONPath {
  /// How the path is answered over a stream.
  public var streaming: JSONPathStreaming { JSONPathStreaming(self) }
}
