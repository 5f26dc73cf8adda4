/// One of the inputs that workers read.
package struct BlockInput {
  let source: JSONSource
  let options: JSONRecordOptions
  let checkpoint: JSONCheckpoint?
  let skipsInPipes: Bool
  let content: (JSONSource) -> JSONSource

  /// - Parameters:
  ///   - source: Something to open, or bytes.
  ///   - checkpoint: Where reading begins.
  ///   - skipsInPipes: Whether the bytes before the checkpoint are skipped also in an input that cannot be opened again.
  ///     Where they are not, the caller may need to read that input by other means.
  ///   - content: What the bytes of the source say: a decompression.
  package init(
    _ source: JSONSource, options: JSONRecordOptions, startingAt checkpoint: JSONCheckpoint? = nil,
    skippingInPipes skipsInPipes: Bool = false, content: @escaping (JSONSource) -> JSONSource = { $0 }
  ) {
    self.source = source
    self.options = options
    self.checkpoint = checkpoint
    self.skipsInPipes = skipsInPipes
    self.content = content
  }
}

/// Reads one input after another into the blocks of an engine: as soon as one is read to its end, the next is begun, while
/// workers still have blocks of the one before.
///
/// An input of lines is cut. Any other file is one block, which a worker opens and reads as a whole. What is neither, a pipe
/// whose bytes are no lines, ends the reading: its first bytes are handed out with its number.
///
/// Sendable without the compiler's proof: it is made by one task and handed to the one that reads, once. What it has left is
/// looked at when the engine has said that nothing comes any more.
final class BlockProducer: @unchecked Sendable {
  private var cutter: LineCutter?
  private var input: NonblockingInput?
  private var number = 0
  /// One that was to be filled when the input had come to its end.
  private var unused: LineBlock?
  private let inputs: ((Int) -> BlockInput?)?
  private let readsWholeFiles: Bool
  /// The input that nobody here can read; no source means that it can be opened again.
  private(set) var rest: (number: Int, source: JSONSource?)?

  /// - Parameters:
  ///   - inputs: Gives the input of a number, from 0; `nil` behind the last.
  ///   - readsWholeFiles: A file that is not lines is a block. Else it ends the reading.
  init(_ inputs: @escaping (Int) -> BlockInput?, readsWholeFiles: Bool) {
    self.inputs = inputs
    self.readsWholeFiles = readsWholeFiles
  }

  /// One input that is open.
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

  /// Reads to the end, or until nobody wants any more.
  func run<Output>(_ engine: ParallelEngine<Output>) async {
    do {
      if cutter != nil { try await read(engine) }
      while rest == nil, !engine.isCancelled, let next = inputs?(number) {
        do {
          try await open(next, engine)
        } catch {
          // It is told behind what was found before it, and is no reason not to read the next one.
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
    // The file is closed here.
    cutter = nil
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
      block.content = .lines
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
    while true {
      switch try cutter?.next(into: block) ?? .end {
      case .block: return true
      case .end: return false
      case .starved: try await input?.wait()
      }
    }
  }
}
