/// Whether lines are looked at before they are parsed, where a condition is asked of each record.
///
/// Many conditions hold only for a text with certain bytes in it: `@.level == 'error'` needs `"error"`. Lines without them,
/// in any spelling, are ruled out many at a time and not parsed. Records, lines, offsets and checkpoints are the same. It
/// works with ``JSONFraming/lines``. Where it rules out too little to pay, it steps aside for a while; that changes nothing
/// else.
public enum JSONPrefilter: Sendable, Hashable {
  /// Wherever records and errors cannot differ. What is ruled out is proven to be JSON; where bad records are skipped
  /// (``JSONRecovery/skip``) and none is one too many (``JSONRecordOptions/maximumErrors`` is `nil`), it is not looked at, and
  /// ``JSONRecordReader/errorCount`` may be lower. No line is ruled out that could make the condition break
  /// ``JSONLimits/querySteps``. Where bad records count and lines may have a prefix (``JSONRecordOptions/skipsPrefix``), none is
  /// ruled out. With
  /// ``JSONOptions/fastForward-swift.property`` it is ``always``; lines for which the condition does not hold are passed over
  /// there even where they have the bytes.
  case automatic
  /// Wherever the condition has such bytes. A bad record that is ruled out is neither thrown nor reported nor counted.
  case always
  /// Every record is parsed.
  case never
}
