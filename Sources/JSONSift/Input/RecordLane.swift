/// What is made of each record of a ``JSONRecordReader``.
enum RecordLane {
  case documents
  /// The text, where the record is validated; else a document.
  case texts
  /// Only the values that queries need.
  case fields(RecordProjection)
  /// The counts of a shape. No records are built.
  case shape(ShapeStorage)
  /// The text in another layout, where the record is validated; else a document.
  case copies(RecordCopier)
}

extension JSONRecordReader {
  var projection: RecordProjection? { if case .fields(let projection) = lane { projection } else { nil } }
  var shape: ShapeStorage? { if case .shape(let storage) = lane { storage } else { nil } }
  var copier: RecordCopier? { if case .copies(let copier) = lane { copier } else { nil } }
}
