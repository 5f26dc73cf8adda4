#if Compression
  public import JSONSift

  extension JSONSource {
    /// The same source, read through gzip (RFC 1952) or zstd (RFC 8878) if its first bytes say so. Anything else is
    /// passed on as it is.
    ///
    /// ```swift
    /// var reader = try JSONRecordReader(.path("events.ndjson.gz").decompressing())
    /// while let record = try reader.next() { total += record["bytes"].intValue }
    /// ```
    ///
    /// One document is one record: `JSONRecordReader(source, framing: .document)`.
    ///
    /// A gzip file may have several members, and zeros behind the last; a zstd file several frames, also such that are
    /// to be skipped. Memory does not depend on the input: 64 KiB of it, and for zstd the window that it asks for, at
    /// most ``DecompressionLimits/windowBytes``. Offsets and lines, those of errors too, count what comes out.
    ///
    /// Reading fails with `JSONError.Code.damagedCompression` where the data are cut off, do not fit their
    /// check sum or length, or go on as something else, and with `JSONError.Code.decompressionLimit` where a
    /// limit is passed. The message names the file and the offset in it. What came out before is handed out first: a
    /// check sum stands at the end of its data. zstd data without one, which its own tool writes only when told to, can
    /// be damaged unseen.
    ///
    /// Of a long file a thread of its own reads and decompresses up to a megabyte ahead, and ends with its reader. What is to
    /// be done around each read is done on the thread that uses the bytes, around each block then.
    ///
    /// - Parameters:
    ///   - limits: How much may come out.
    ///   - progress: Is told how much has been read. Each reading of the source starts it anew.
    public func decompressing(
      _ limits: DecompressionLimits = DecompressionLimits(), progress: DecompressionProgress? = nil
    ) -> JSONSource { decompressing(limits, progress: progress, decoders: Decoders.all) }

    func decompressing(
      _ limits: DecompressionLimits = DecompressionLimits(), progress: DecompressionProgress? = nil,
      decoders: [any Decoder.Type]
    ) -> JSONSource {
      let source = self
      return .reading(name: Self.nameOfContent(name, decoders), mayGrow: mayGrow) { () throws(JSONError) in
        try Decompressor(source, limits, progress ?? DecompressionProgress(), decoders)
      }
    }

    /// The name without the ending that names a compression, so that framing can be told from what is left.
    private static func nameOfContent(_ name: String?, _ decoders: [any Decoder.Type]) -> String? {
      guard let name, let dot = name.lastIndex(of: ".") else { return name }
      let ending = name[dot...].lowercased()
      return decoders.contains { $0.format.endings.contains(ending) } ? String(name[..<dot]) : name
    }
  }

  extension JSONRecords {
    /// The same records, read through gzip or zstd if their first bytes say so; see
    /// `JSONSource.decompressing(_:progress:)`.
    ///
    /// ```swift
    /// for try await record in JSONRecords("events.ndjson.gz").decompressing() { … }
    /// ```
    ///
    /// - Parameters:
    ///   - limits: How much may come out.
    ///   - progress: Is told how much has been read. Each iterator starts it anew.
    public func decompressing(
      _ limits: DecompressionLimits = DecompressionLimits(), progress: DecompressionProgress? = nil
    ) -> JSONRecords {
      var records = self
      let inner = content
      records.content = { (inner?($0) ?? $0).decompressing(limits, progress: progress) }
      return records
    }
  }
#endif
