#if Compression
  public import JSONSift

  extension JSONSource {
    /// Returns the same source, decompressed if its first bytes identify gzip (RFC 1952) or zstd (RFC 8878). Any other
    /// input is passed through unchanged.
    ///
    /// ```swift
    /// var reader = try JSONRecordReader(.path("events.ndjson.gz").decompressing())
    /// while let record = try reader.next() { total += record["bytes"].intValue }
    /// ```
    ///
    /// To read the whole input as one record, use `JSONRecordReader(source, framing: .document)`.
    ///
    /// A gzip file may have several members, and zero bytes after the last; a zstd file may have several frames,
    /// including skippable ones. Memory does not depend on the size of the input: 64 KiB, and for zstd the window that
    /// the data requests, at most ``DecompressionLimits/windowBytes``. Offsets and lines, including those of errors,
    /// refer to the decompressed data.
    ///
    /// Reading fails with `JSONError.Code.damagedCompression` if the data are truncated, do not match their checksum or
    /// length, or are followed by other bytes, and with `JSONError.Code.decompressionLimit` if a limit is exceeded. The
    /// error names the file, and its message has the offset in it. Data decompressed before the error are returned
    /// first, because a checksum follows its data. zstd data without a checksum can be damaged unnoticed; the zstd tool
    /// omits the checksum only on request.
    ///
    /// For a long file, a separate thread reads and decompresses up to a megabyte ahead; it ends with its reader.
    /// Callbacks around reads of the source then run on the thread that consumes the bytes, once around each block.
    ///
    /// With `JSONRecordOptions.range`, a regular file is divided where its zstd frames or BGZF blocks begin: the range counts
    /// compressed bytes, and only its frames are decompressed. `JSONInputRange` says which records it owns.
    ///
    /// - Parameters:
    ///   - limits: The limits on the decompressed data.
    ///   - progress: Updated after each read. Each new reading of the source resets it.
    public func decompressing(
      _ limits: DecompressionLimits = DecompressionLimits(), progress: DecompressionProgress? = nil
    ) -> JSONSource { decompressing(limits, progress: progress, decoders: Decoders.all) }

    /// Returns the same source, decompressed with several threads if it is a long regular file whose frames can be found.
    ///
    /// - Parameter whenCut: Called at the end of an input of BGZF whose last, empty block is missing, on any thread.
    package func decompressing(
      _ limits: DecompressionLimits, progress: DecompressionProgress?, threads: Int,
      whenCut: @escaping @Sendable () -> Void
    ) -> JSONSource {
      decompressing(limits, progress: progress, decoders: Decoders.all, threads: threads, whenCut: whenCut)
    }

    /// - Parameter walk: A walk whose next frame is the first one of a range that is read.
    func decompressing(
      _ limits: DecompressionLimits = DecompressionLimits(), progress: DecompressionProgress? = nil,
      decoders: [any Decoder.Type], threads: Int = 1, _ bounds: FrameRing.Bounds = FrameRing.Bounds(),
      from walk: FrameWalk? = nil,
      whenCut: (@Sendable () -> Void)? = nil
    ) -> JSONSource {
      .reading(self, name: Self.nameOfContent(name, decoders)) { (source) throws(JSONError) in
        try Decompressor(
          source, limits, progress ?? DecompressionProgress(), decoders, FramesAhead(threads: threads, bounds),
          from: walk, whenCut: whenCut)
      }
    }

    /// Returns the name without a file extension of a compression format, so that the framing can be derived from the
    /// rest.
    private static func nameOfContent(_ name: String?, _ decoders: [any Decoder.Type]) -> String? {
      guard let name, let dot = name.lastIndex(of: ".") else { return name }
      let ending = name[dot...].lowercased()
      return decoders.contains { $0.format.fileExtensions.contains(ending) } ? String(name[..<dot]) : name
    }
  }

  extension JSONRecords {
    /// Returns the same records, decompressed if their first bytes identify gzip or zstd; see
    /// `JSONSource.decompressing(_:progress:)`.
    ///
    /// ```swift
    /// for try await record in JSONRecords("events.ndjson.gz").decompressing() { … }
    /// ```
    ///
    /// - Parameters:
    ///   - limits: The limits on the decompressed data.
    ///   - progress: Updated after each read. Each new iterator resets it.
    public func decompressing(
      _ limits: DecompressionLimits = DecompressionLimits(), progress: DecompressionProgress? = nil
    ) -> JSONRecords {
      reading { $0.decompressing(limits, progress: progress) }
    }
  }
#endif
