/// What is made of each record of a ``JSONRecordReader``.
enum RecordLane {
  case documents
  /// The text, where the record is validated; else a document.
  case texts
  /// Only the values that queries need.
  case fields(RecordProjection)
  /// The tape words. No records are built.
  case tapeWords(TapeWordLines)
  /// The text in another layout, where the record is validated; else a document.
  case copies(RecordCopier)
}

extension JSONRecordReader {
  var projection: RecordProjection? { if case .fields(let projection) = lane { projection } else { nil } }
  var tapeWords: TapeWordLines? { if case .tapeWords(let lines) = lane { lines } else { nil } }
  var copier: RecordCopier? { if case .copies(let copier) = lane { copier } else { nil } }
}
