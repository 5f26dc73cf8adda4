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

    @Test(arguments: Format.allCases)
    func `a task reads the same records from a compressed stream as from the plain stream for every chunk size`(
      format: Format
    ) async throws {
      let plain = try await texts(of: JSONRecords(bytes: mixedFixture))
      #expect(plain.count > 140 && plain.contains { $0.contains("expected a value") })
      let compressed = format.compress(mixedFixture)
      var different: [String] = []
      for size in Array(1...40) + [64, 127, 300, 100_000] {
        let records = JSONRecords(SlowChunks(bytes: compressed, size: size)).decompressing()
        if try await texts(of: records) != plain { different.append("\(size)") }
        for workers in [1, 2, 3, 8] where size % 10 == 7 {
          if try await texts(of: records, workers: workers) != plain { different.append("\(size) \(workers)") }
        }
      }
      #expect(different == [])
    }

    @Test(arguments: Format.allCases)
    func `uncompressed input passes unchanged, and damage is one error after the records before it`(
      format: Format
    ) async throws {
      let plain = try await texts(of: JSONRecords(bytes: mixedFixture))
      let untouched = JSONRecords(SlowChunks(bytes: mixedFixture, size: 100)).decompressing()
      #expect(try await texts(of: untouched) == plain)
      let cut = Array(format.compress(mixedFixture).dropLast(3))
      var lines: [String] = []
      await #expect(throws: JSONError.self) {
        for try await element in JSONRecords(SlowChunks(bytes: cut, size: 50)).decompressing().results {
          lines.append(text(of: element))
        }
      }
      #expect(plain.starts(with: lines))
    }
  }
#endif
