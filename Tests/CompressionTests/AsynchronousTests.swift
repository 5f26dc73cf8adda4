#if Compression
  import JSONSiftCompression
  import TestSupport
  import Testing

  @testable import JSONSift

  /// Compressed streams read by tasks and by several workers.
  @Suite struct AsynchronousTests {
    /// Chunks that are produced on request, each after a `yield` to other tasks.
    private struct SlowChunks: AsyncSequence, Sendable {
      let bytes: [UInt8]
      let size: Int

      func makeAsyncIterator() -> Iterator { Iterator(chunks: Chunks(bytes, size: size)) }

      struct Iterator: AsyncIteratorProtocol {
        var chunks: Chunks

        mutating func next() async throws -> [UInt8]? {
          await Task.yield()
          return chunks.next()
        }
      }
    }

    private static func line(_ element: Result<JSONRecord, JSONBadRecord>) -> String {
      switch element {
      case .success(let record): "\(record.line) \(record.byteRange) \(record.value)"
      case .failure(let bad): "\(bad.line) \(bad.byteRange) \(bad.position) \(bad.error)"
      }
    }

    private static func trace(
      _ elements: some AsyncSequence<Result<JSONRecord, JSONBadRecord>, any Error>
    ) async throws -> [String] {
      var lines: [String] = []
      for try await element in elements { lines.append(line(element)) }
      return lines
    }

    @Test(arguments: Format.allCases)
    func `a task reads the same records from a compressed stream as from the plain stream for every chunk size`(
      format: Format
    ) async throws {
      let plain = try await Self.trace(JSONRecords(bytes: mixedFixture).results)
      #expect(plain.count > 140 && plain.contains { $0.contains("expected a value") })
      let compressed = format.compress(mixedFixture)
      var different: [String] = []
      for size in Array(1...40) + [64, 127, 300, 100_000] {
        let records = JSONRecords(SlowChunks(bytes: compressed, size: size)).decompressing()
        if try await Self.trace(records.results) != plain { different.append("\(size)") }
        for workers in [1, 2, 3, 8] where size % 10 == 7 {
          var lines: [String] = []
          for try await found in records.workers(workers, { Self.line(.success($0)) }).results {
            switch found {
            case .success(let line): lines.append(line)
            case .failure(let bad): lines.append(Self.line(.failure(bad)))
            }
          }
          if lines != plain { different.append("\(size) \(workers)") }
        }
      }
      #expect(different == [])
    }

    @Test(arguments: Format.allCases)
    func `uncompressed input passes unchanged, and damage is one error after the records before it`(
      format: Format
    ) async throws {
      let plain = try await Self.trace(JSONRecords(bytes: mixedFixture).results)
      let untouched = JSONRecords(SlowChunks(bytes: mixedFixture, size: 100)).decompressing()
      #expect(try await Self.trace(untouched.results) == plain)
      let cut = Array(format.compress(mixedFixture).dropLast(3))
      var lines: [String] = []
      await #expect(throws: JSONError.self) {
        for try await element in JSONRecords(SlowChunks(bytes: cut, size: 50)).decompressing().results {
          lines.append(Self.line(element))
        }
      }
      #expect(plain.starts(with: lines))
    }
  }
#endif
