#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Looks at memory and at what is under way, while a slow consumer works.
struct Watch {
  private let meter: Meter
  private var memory: [Int] = []
  private var maxUnderWay = 0

  /// Records that are on their way: socket buffers, NIO's, the blocks of the workers, and a share of the server's.
  private static let allowedUnderWay = 8 << 20
  private static let allowedGrowth = 8 << 20

  init(_ meter: Meter) { self.meter = meter }

  mutating func look(bytesConsumed: Int) {
    maxUnderWay = max(maxUnderWay, meter.sent - bytesConsumed)
    memory.append(Self.peakBytes)
  }

  /// Prints what was seen, and throws if it is not what must be.
  func conclude(_ title: String) throws {
    let early = memory.prefix(memory.count / 4 + 1).max() ?? 0
    let all = memory.max() ?? 0
    print(
      """
      \(title): \(meter.sent >> 20) MiB sent; the server waited \(meter.waits) times; \
      at most \(maxUnderWay >> 10) KiB under way; resident memory \(early >> 20) MiB in the first quarter, \
      \(all >> 20) MiB at most
      """)
    try ServerRecords.require(memory.count >= 8, "too few looks: \(memory.count)")
    try ServerRecords.require(meter.waits > 0, "the server never had to wait: there was no back-pressure")
    try ServerRecords.require(
      maxUnderWay <= Self.allowedUnderWay && maxUnderWay < meter.sent / 2,
      "\(maxUnderWay) bytes were under way: something reads ahead without a bound")
    try ServerRecords.require(
      early > 0 && all - early <= Self.allowedGrowth, "memory grew by \((all - early) >> 10) KiB")
  }

  /// The most that this process has held.
  static var peakBytes: Int {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    #if canImport(Darwin)
      return usage.ru_maxrss
    #else
      return usage.ru_maxrss << 10
    #endif
  }
}
