extension JSONPath {
  /// How the path is evaluated over a stream.
  public var streaming: Streaming { Streaming(self) }

  /// How a path is evaluated over a stream: the values that are kept in memory in addition to the current window.
  ///
  /// ```swift
  /// print(path.streaming)  // streams; buffers each value that a filter looks at
  /// ```
  public struct Streaming: Sendable, Hashable, CustomStringConvertible {
    /// Whether and how the path can be evaluated over one streamed document. Over records every path can be evaluated.
    public enum Form: Sendable, Hashable {
      /// Matches are reported as they are read; nothing else is kept.
      case streams
      /// Other values are kept too: see ``JSONPath/Streaming/buffers``.
      case buffers
      /// The path needs the whole text and cannot be streamed.
      case rejected
    }

    /// The values that are kept, and their limits.
    public enum Buffer: Sendable, Hashable {
      /// One value at a time that a filter reads.
      case candidates
      /// The given number of last elements of an array. Their texts together are limited by ``JSONLimits/recordBytes``. Their
      /// other memory is limited by ``JSONLimits/tapeBytes``: 16 bytes for a scalar, and the tape of a container.
      case lastElements(Int)
      /// All elements of an array until it ends, with the same limits.
      case elements
      /// Each value at the given path, as a whole: the path consists of the steps that are followed while reading. The
      /// remaining steps are evaluated on the value.
      case values(at: String)
      /// Matches below a descendant segment (`..`). Matches at a lower depth precede them, so they are kept until the
      /// outermost container that can contain further matches ends. The texts of the matches of one path together are
      /// limited by ``JSONLimits/recordBytes``. Their other memory is limited by four times ``JSONLimits/recordBytes`` or
      /// by ``JSONLimits/tapeBytes``, whichever is less: 40 bytes for a match and some bytes for its location, and the
      /// tape of a container.
      case matches
    }

    /// Whether and how the path can be streamed.
    public var form: Form { rejection != nil ? .rejected : buffers.isEmpty ? .streams : .buffers }
    /// The values that are kept, outermost first.
    public let buffers: [Buffer]
    /// Whether reading stops as soon as the result is known. Bytes after that are not validated.
    public let stopsEarly: Bool
    /// Why the path cannot be streamed; `nil` if it can.
    private let rejection: String?

    init(_ path: JSONPath) {
      do throws(JSONError) {
        let query = try path.checked()
        let plan = try StreamPlan(query)
        var buffers: [Buffer] = []
        switch plan.action {
        case .match: break
        case .filter: buffers.append(.candidates)
        case .hold(let selection): buffers.append(selection.size.map { .lastElements($0) } ?? .elements)
        case .evaluate:
          let steps = query.segments.prefix(plan.steps.count)
          buffers.append(.values(at: PathQuery(isRelative: false, segments: Array(steps)).description))
        }
        if plan.descendant != nil { buffers.append(.matches) }
        self.buffers = buffers
        stopsEarly = plan.isDefinite
        rejection = nil
      } catch {
        buffers = []
        stopsEarly = false
        rejection = error.message
      }
    }

    /// A description in one line, for display; its wording may change in any release.
    public var description: String {
      form == .streams && stopsEarly ? summary + ", and stops when its result is known" : summary
    }

    /// The description without ``stopsEarly``.
    package var summary: String {
      if let rejection { return "cannot be streamed: \(rejection)" }
      if buffers.isEmpty { return "streams" }
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
