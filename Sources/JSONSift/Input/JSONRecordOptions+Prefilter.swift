extension JSONRecordOptions {
  /// Whether lines are searched for required literals before they are parsed, when a condition is evaluated for each record.
  ///
  /// Many conditions can hold only for a text that contains certain bytes: `@.level == 'error'` needs `"error"`. Lines without
  /// these bytes, in any spelling, are ruled out many at a time and not parsed. Records, lines, offsets and checkpoints do not
  /// change. The prefilter works with ``JSONFraming/lines``. If it rules out too few lines to pay off, it switches itself off
  /// for a while.
  public enum Prefilter: Sendable, Hashable {
    /// Rules out lines only where that cannot change the records and errors that the reader returns. Lines that are ruled out
    /// are validated, with one exception: with ``JSONRecordOptions/Recovery/skip`` and without
    /// ``JSONRecordOptions/maxErrors`` they are not validated, so ``JSONRecordReader/errorCount`` may be lower. A line is
    /// never ruled out if the condition could exceed ``JSONLimits/querySteps`` on it. No line is ruled out if bad records
    /// must be found and lines may have a prefix (``JSONRecordOptions/skipsPrefix``).
    case automatic
    /// Rules out lines whenever the condition requires certain bytes. A bad record that is ruled out is neither thrown nor
    /// reported nor counted.
    case always
    /// Parses every record.
    case never
  }
}
