/// One of the inputs that workers read.
package struct BlockInput {
  let source: JSONSource
  let options: JSONRecordOptions
  let checkpoint: JSONCheckpoint?
  let skipsInPipes: Bool
  let division: DocumentDivision?
  let content: (JSONSource) -> JSONSource

  /// - Parameters:
  ///   - source: A source to open, or bytes.
  ///   - options: How it is cut and read.
  ///   - checkpoint: Where reading begins.
  ///   - skipsInPipes: Whether the bytes before the checkpoint are skipped also in an input that cannot be opened again. If
  ///     not, the caller may have to read that input by other means.
  ///   - division: If present, one document in a file is divided into blocks of children. Then this input is the last one,
  ///     and the text after its last block is left to the caller.
  ///   - content: Returns the content of the source, for example decompressed.
  package init(
    _ source: JSONSource, options: JSONRecordOptions, startingAt checkpoint: JSONCheckpoint? = nil,
    skippingInPipes skipsInPipes: Bool = false, dividedBy division: DocumentDivision? = nil,
    content: @escaping (JSONSource) -> JSONSource = { $0 }
  ) {
    self.source = source
    self.options = options
    self.checkpoint = checkpoint
    self.skipsInPipes = skipsInPipes
    self.division = division
    self.content = content
  }
}

/// Reads one input after another into the blocks of an engine. The next input is begun as soon as one is read to its end,
/// while workers still process its blocks.
///
/// An input of lines is cut into blocks. A document is cut into blocks up to the end of the container whose children
/// are divided. Any other file is one block, which a worker opens and reads as a whole. The producer stops after such a
/// document, and at any other input, such as a pipe whose bytes are not lines: ``rest`` is the input at which it has
/// stopped.
///
/// Unchecked Sendable: one task creates it and passes it to the reading task once. ``rest`` is read after the engine has
/// reported the end.
final class BlockProducer: @unchecked Sendable {
  private var cutter: LineCutter?
  private var children: ChildCutter?
  private var input: NonblockingInput?
  private var number = 0
  /// A block that was to be filled when the input ended.
  private var unused: LineBlock?
  private let inputs: ((Int) -> BlockInput?)?
  private let readsWholeFiles: Bool
  /// The input at which the producer has stopped. Its source has the bytes already read; `nil` if it can be opened again.
  private(set) var rest: (number: Int, source: JSONSource?)?

  /// - Parameters:
  ///   - inputs: Returns the input with a number, from 0; `nil` after the last.
  ///   - readsWholeFiles: Whether a file that is not lines becomes a block. Otherwise the producer stops at it.
  init(_ inputs: @escaping (Int) -> BlockInput?, readsWholeFiles: Bool) {
    self.inputs = inputs
    self.readsWholeFiles = readsWholeFiles
  }

  /// Creates a producer for one open input.
  init(_ open: consuming OpenRecords) {
    inputs = nil
    readsWholeFiles = false
    begin(open)
  }

  private func begin(_ open: consuming OpenRecords) {
    input = open.input
    let (options, checkpoint) = (open.options, open.checkpoint)
    cutter = LineCutter(open.takeWindow(), options, at: checkpoint)
  }

  /// Reads to the end, or until the engine is cancelled.
  func run<Output>(_ engine: ParallelEngine<Output>) async {
    do {
      if cutter != nil { try await read(engine) }
      while rest == nil, !engine.isCancelled, let next = inputs?(number) {
        do {
          try await open(next, engine)
        } catch {
          // The error is reported after the results before it, and does not stop the next input from being read.
          if let block = await emptyBlock(engine) {
            block.set(.failure(error), of: number)
            engine.add(block)
          }
        }
        number += 1
      }
      engine.end()
    } catch {
      engine.end(error)
    }
    // Closes the file.
    cutter = nil
    children = nil
    input = nil
  }

  private func open<Output>(_ next: BlockInput, _ engine: ParallelEngine<Output>) async throws {
    let open = try await OpenRecords.opening(next)
    if open.framing == .lines {
      begin(open)
      defer {
        cutter = nil
        input = nil
      }
      return try await read(engine)
    }
    let isFile = open.input == nil
    if isFile, open.framing == .document, let division = next.division {
      children = ChildCutter.cutting(open.takeWindow(), division)
      if children != nil { try await read(engine) }
      rest = (number, nil)
      return
    }
    guard isFile, readsWholeFiles else {
      rest = (number, open.source())
      return
    }
    if let block = await emptyBlock(engine) {
      block.set(.wholeInput, of: number)
      engine.add(block)
    }
  }

  private func read<Output>(_ engine: ParallelEngine<Output>) async throws {
    while let block = await emptyBlock(engine) {
      guard try await fill(block) else {
        unused = block
        return
      }
      if cutter != nil { block.content = .lines }
      block.input = number
      engine.add(block)
    }
  }

  private func emptyBlock<Output>(_ engine: ParallelEngine<Output>) async -> LineBlock? {
    let block = await engine.emptyBlock(unused)
    unused = nil
    return block
  }

  private func fill(_ block: LineBlock) async throws -> Bool {
    if cutter == nil { return children?.next(into: block) ?? false }
    while true {
      switch try cutter?.next(into: block) ?? .end {
      case .block: return true
      case .end: return false
      case .wouldBlock: try await input?.waitForBytes()
      }
    }
  }
}
