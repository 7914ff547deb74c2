import BoardKit
import FleetModel

/// Puts samples together again that several loggers wrote down in parts, and reads them (protocol reference, section
/// 16.6).
///
/// Entries are paired by their order, since two samples may carry the same tick (fault F45). The parts of one sample
/// differ by one tick at most: what lies further apart is left over from a sample of which a part is missing, because
/// logging began or ended in the midst of it, or its page was overwritten. A reset of the board ends what waits as
/// well. The hot path of all that is published from logs: nothing is allocated per sample.
struct LogEntryDecoder: LogDecoder {
  /// One stream and where its parts wait. Nothing in here, nor in the arrays beside, is counted by reference per entry.
  private struct Group: Sendable {
    let stream: Int
    /// Of its first queue; the others follow.
    let first: Int
    let parts: Int
    let samples: Range<Int>
    /// Queues of it that are not empty.
    var filled = 0
    var resetID: UInt8 = 0
  }

  /// Which logger belongs to which group, and its queue.
  private struct Logger: Sendable {
    let group: Int
    let queue: Int
  }

  /// Where a sample's values stand among all numbers.
  private struct Sample: Sendable {
    let values: Range<Int>
    let tick: LoggedSample.Number?
  }

  /// Ticks that the parts of one sample differ by at most.
  private static let tolerance: Int64 = 1

  private var loggers: [Logger?] = Array(repeating: nil, count: 32)
  /// The slots of all groups' parts, in the order of the queues.
  private var slots: [UInt8] = []
  private var groups: [Group] = []
  private var samples: [Sample] = []
  private var numbers: [LoggedSample.Number] = []
  private var queues = LogEntryQueues(0)
  /// The entries of one sample side by side.
  private var joined: [UInt8] = []
  private var arrivals = 0
  /// Reset and tick of the latest entry that is believed, near one that is not.
  private var sound: (resetID: UInt8, tick: UInt32)?

  /// Reads the entries of `streams`; of those without a layout nothing is known. Begins with what another one left
  /// over.
  init(_ streams: [LoggedStream], rest: [UInt8]) {
    for (index, stream) in streams.enumerated() {
      guard let layout = SampleLayout(encoded: stream.layout), !stream.slots.isEmpty,
        Set(stream.slots).count == stream.slots.count,
        stream.slots.allSatisfy({ loggers.indices.contains($0) && loggers[$0] == nil }),
        layout.byteCount <= stream.slots.count * LoggerEntry.chunk
      else { continue }
      let flags = Set(stream.fields.indices.filter { stream.fields[$0].kind == .flag })
      let firstSample = samples.count
      for sample in LoggedSample.all(in: layout, flags: flags) {
        let start = numbers.count
        numbers += sample.values
        samples.append(Sample(values: start..<numbers.count, tick: sample.tick))
      }
      let group = Group(
        stream: index, first: slots.count, parts: stream.slots.count, samples: firstSample..<samples.count)
      for slot in stream.slots {
        loggers[slot] = Logger(group: groups.count, queue: slots.count)
        slots.append(UInt8(slot))
      }
      groups.append(group)
    }
    queues = LogEntryQueues(slots.count)
    var ignored = DecodedLog()
    decode(rest.span.bytes, into: &ignored)
  }

  var rest: [UInt8] {
    var rest: [UInt8] = []
    for entry in queues.all { entry.append(to: &rest) }
    return rest
  }

  mutating func decode(_ entries: RawSpan, doubtful: ArraySlice<Int>, into decoded: inout DecodedLog) {
    var offset = 0
    var doubtful = doubtful
    while entries.byteCount &- offset >= LogEntry.size {
      let head = LogEntry.head(entries, at: offset)
      if let next = doubtful.first, next &* LogEntry.size < offset &+ loggers.count &* LogEntry.size {
        // Close to one that is not believed nothing is taken for whole.
        let isDoubtful = next &* LogEntry.size == offset
        if isDoubtful {
          doubtful.removeFirst()
          if sound == nil { sound = Self.firstSound(entries, behind: offset, doubtful) }
        }
        takeAlone(entries, at: offset, head, isDoubtful: isDoubtful, into: &decoded)
        offset &+= LogEntry.size
        continue
      }
      guard let logger = loggers[Int(LogEntry.slot(head))] else {
        decoded.unknown[Int(LogEntry.slot(head)), default: 0] += 1
        offset &+= LogEntry.size
        continue
      }
      if isWhole(logger, entries, at: offset, head) {
        append(logger.group, entries, at: offset, to: &decoded)
        offset &+= groups[logger.group].parts &* LogEntry.size
      } else {
        take(entries, at: offset, head, of: logger, into: &decoded)
        offset &+= LogEntry.size
      }
    }
  }

  /// Whether all parts of a sample stand side by side from `offset` on while none of the group waits, as boards mostly
  /// tell them: then nothing has to be put together.
  @inline(__always)
  private func isWhole(_ logger: Logger, _ entries: RawSpan, at offset: Int, _ head: UInt8) -> Bool {
    let (first, parts) = (groups[logger.group].first, groups[logger.group].parts)
    guard logger.queue == first, groups[logger.group].filled == 0,
      entries.byteCount &- offset >= parts &* LogEntry.size
    else { return false }
    let tick = LogEntry.word(entries, at: offset &+ 1)
    var next = offset
    for part in 1..<max(parts, 1) {
      next &+= LogEntry.size
      guard LogEntry.head(entries, at: next) == head & 0xE0 | slots[first &+ part],
        LogEntry.word(entries, at: next &+ 1) &- tick <= 1
      else { return false }
    }
    return true
  }

  /// What the first entry says that is believed, where none was before.
  private static func firstSound(
    _ entries: RawSpan, behind offset: Int, _ doubtful: ArraySlice<Int>
  ) -> (resetID: UInt8, tick: UInt32)? {
    var next = offset + LogEntry.size
    for index in doubtful where index * LogEntry.size == next { next += LogEntry.size }
    guard entries.byteCount - LogEntry.size >= next else { return nil }
    return (
      LogEntry.resetID(LogEntry.head(entries, at: next)), LogEntry.word(entries, at: next + 1)
    )
  }

  /// Takes an entry by itself. One that is not believed stands where the one before it did.
  private mutating func takeAlone(
    _ entries: RawSpan, at offset: Int, _ head: UInt8, isDoubtful: Bool, into decoded: inout DecodedLog
  ) {
    if !isDoubtful { sound = (LogEntry.resetID(head), LogEntry.word(entries, at: offset &+ 1)) }
    guard let logger = loggers[Int(LogEntry.slot(head))] else {
      return decoded.unknown[Int(LogEntry.slot(head)), default: 0] += 1
    }
    let resetID = sound?.resetID ?? LogEntry.resetID(head)
    let believed = isDoubtful ? LogEntry.slot(head) | resetID << 5 : head
    take(entries, at: offset, believed, of: logger, isDoubtful: isDoubtful, into: &decoded)
  }

  /// Lets an entry wait for the other parts of its sample, or completes that.
  private mutating func take(
    _ entries: RawSpan, at offset: Int, _ head: UInt8, of logger: Logger, isDoubtful: Bool = false,
    into decoded: inout DecodedLog
  ) {
    let resetID = LogEntry.resetID(head)
    if groups[logger.group].resetID != resetID {
      for part in 0..<groups[logger.group].parts { queues.removeAll(of: groups[logger.group].first + part) }
      (groups[logger.group].filled, groups[logger.group].resetID) = (0, resetID)
    }
    if queues.counts[logger.queue] == 0 { groups[logger.group].filled += 1 }
    queues.append(
      .init(
        head: head, tick: (isDoubtful ? sound?.tick : nil) ?? LogEntry.word(entries, at: offset + 1),
        data: LogEntry.word(entries, at: offset + 5),
        arrival: arrivals, isDoubtful: isDoubtful), to: logger.queue)
    arrivals += 1
    while groups[logger.group].filled == groups[logger.group].parts {
      complete(logger.group, into: &decoded)
    }
  }

  /// Takes one entry of each part where these belong together, and else the oldest away.
  private mutating func complete(_ index: Int, into decoded: inout DecodedLog) {
    let (first, parts) = (groups[index].first, groups[index].parts)
    // What is not believed belongs to whatever its order says.
    let believed = (first..<(first + parts)).first { !queues.first(of: $0).isDoubtful }
    let opening = queues.first(of: believed ?? first)
    joined.removeAll(keepingCapacity: true)
    var (oldest, oldestDistance, newestDistance) = (first, Int32(0), Int32(0))
    for queue in first..<(first + parts) {
      let entry = queues.first(of: queue)
      entry.append(to: &joined)
      guard !entry.isDoubtful else { continue }
      let distance = Int32(bitPattern: entry.tick &- opening.tick)
      if distance < oldestDistance { (oldest, oldestDistance) = (queue, distance) }
      newestDistance = max(newestDistance, distance)
    }
    guard Int64(newestDistance) - Int64(oldestDistance) <= Self.tolerance else {
      return remove(oldest, of: index)
    }
    append(
      index, joined.span.bytes, at: 0, clockAt: ((believed ?? first) - first) * LogEntry.size,
      isDoubtful: believed == nil, to: &decoded)
    for queue in first..<(first + parts) { remove(queue, of: index) }
  }

  private mutating func remove(_ queue: Int, of group: Int) {
    queues.removeFirst(of: queue)
    if queues.counts[queue] == 0 { groups[group].filled -= 1 }
  }

  /// Reads the samples whose entries stand side by side from `offset` on.
  @inline(__always)
  private func append(
    _ group: Int, _ entries: RawSpan, at offset: Int, clockAt clock: Int = 0, isDoubtful: Bool = false,
    to decoded: inout DecodedLog
  ) {
    let resetID = Int(LogEntry.resetID(LogEntry.head(entries, at: offset &+ clock)))
    let written = LogEntry.word(entries, at: offset &+ clock &+ 1)
    let (samples, numbers) = (samples.span, numbers.span)
    for index in groups[group].samples {
      let start = decoded.values.count
      for place in samples[index].values {
        decoded.values.append(Self.value(numbers[place], entries, at: offset))
      }
      let tick =
        samples[index].tick.map { Self.recordedTick($0, near: written, entries, at: offset) } ?? written
      decoded.entries.append(
        DecodedLog.Entry(
          stream: groups[group].stream, clock: BoardTick(resetID: resetID, tick: tick),
          values: start..<decoded.values.count, isDoubtful: isDoubtful))
    }
  }

  /// The tick that an accounter put in front, which is no later than the entry's; shorter ones tell its lower part.
  private static func recordedTick(
    _ tick: LoggedSample.Number, near written: UInt32, _ entries: RawSpan, at offset: Int
  ) -> UInt32 {
    let recorded = bits(tick, entries, at: offset)
    guard tick.width < 4 else { return recorded }
    let lowerPart = UInt32.max >> UInt32(32 - 8 * tick.width)
    return written &- ((written &- recorded) & lowerPart)
  }

  /// The bytes of a number, which may begin in one entry and end in the next.
  @inline(__always)
  private static func bits(_ number: LoggedSample.Number, _ entries: RawSpan, at offset: Int) -> UInt32 {
    let (entry, byte) = (number.offset >> 2, number.offset & 3)
    let data = offset &+ entry &* LogEntry.size &+ 5
    var raw = LogEntry.word(entries, at: data) >> UInt32(truncatingIfNeeded: byte &* 8)
    if byte &+ number.width > 4 {
      raw |= LogEntry.word(entries, at: data &+ LogEntry.size) << UInt32(truncatingIfNeeded: 32 &- byte &* 8)
    }
    let unused = UInt32(truncatingIfNeeded: 32 &- 8 &* number.width)
    return (raw << unused) >> unused
  }

  @inline(__always)
  private static func value(_ number: LoggedSample.Number, _ entries: RawSpan, at offset: Int) -> Double {
    var raw = bits(number, entries, at: offset)
    if number.isBigEndian { raw = raw.byteSwapped >> UInt32(truncatingIfNeeded: 32 &- 8 &* number.width) }
    if number.isFlag { return raw == 0 ? 0 : 1 }
    if number.isFloat { return Double(Float(bitPattern: raw)) * number.unit }
    guard number.isSigned else { return Double(raw) * number.unit }
    let shift = UInt32(truncatingIfNeeded: 32 &- 8 &* number.width)
    return Double(Int32(bitPattern: raw << shift) >> Int32(bitPattern: shift)) * number.unit
  }
}
