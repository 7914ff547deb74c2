import BoardKit
import FleetModel

/// Puts samples together again that several loggers wrote down in parts, and reads them (protocol reference, section
/// 16.6).
///
/// Entries are paired by their order, since two samples may carry the same tick (fault F45). The parts of one sample
/// differ by one tick at most: what lies further apart is left over from a sample of which a part is missing, because
/// logging began or ended in the midst of it, or its page was overwritten. A reset of the board ends what waits as well.
/// The hot path of all that is published from logs: nothing is allocated per sample.
struct LogEntryDecoder: LogDecoder {
  /// One stream and where its parts wait.
  private struct Group: Sendable {
    let stream: Int
    /// Of its first queue; the others follow.
    let first: Int
    let parts: Int
    let samples: [LoggedSample]
    /// Queues of it that are not empty.
    var filled = 0
    var resetID: UInt8 = 0
  }

  /// Which logger belongs to which group, as its first queue's neighbour.
  private struct Logger: Sendable {
    let group: Int
    let queue: Int
  }

  /// Ticks that the parts of one sample differ by at most.
  private static let tolerance: Int64 = 1

  private var loggers: [Logger?] = Array(repeating: nil, count: 32)
  private var groups: [Group] = []
  private var queues = LogEntryQueues(0)
  /// The parts of one sample side by side, and one more so that a number may reach over the last.
  private var words: [UInt32] = []
  private var arrivals = 0

  /// Reads the entries of `streams`; of those without a layout nothing is known. Begins with what another one left over.
  init(_ streams: [LoggedStream], rest: [UInt8]) {
    var queueCount = 0
    for (index, stream) in streams.enumerated() {
      guard let layout = SampleLayout(encoded: stream.layout), !stream.slots.isEmpty,
        stream.slots.allSatisfy({ loggers.indices.contains($0) && loggers[$0] == nil }),
        layout.byteCount <= stream.slots.count * LoggerEntry.chunk
      else { continue }
      for (part, slot) in stream.slots.enumerated() {
        loggers[slot] = Logger(group: groups.count, queue: queueCount + part)
      }
      let flags = Set(stream.fields.indices.filter { stream.fields[$0].kind == .flag })
      groups.append(
        Group(
          stream: index, first: queueCount, parts: stream.slots.count,
          samples: LoggedSample.all(in: layout, flags: flags)))
      queueCount += stream.slots.count
    }
    queues = LogEntryQueues(queueCount)
    words = Array(repeating: 0, count: (groups.map(\.parts).max() ?? 0) + 1)
    var ignored = DecodedLog()
    decode(rest.span.bytes, into: &ignored)
  }

  var rest: [UInt8] {
    queues.all.reduce(into: []) { rest, entry in
      rest.append(entry.head)
      rest.append(number: entry.tick)
      rest.append(number: entry.data)
    }
  }

  mutating func decode(_ entries: RawSpan, into decoded: inout DecodedLog) {
    var offset = 0
    while entries.byteCount &- offset >= LogEntry.size {
      let head = LogEntry.head(entries, at: offset)
      if let logger = loggers[Int(LogEntry.slot(head))] {
        take(
          .init(
            head: head, tick: LogEntry.word(entries, at: offset &+ 1),
            data: LogEntry.word(entries, at: offset &+ 5), arrival: arrivals), of: logger, into: &decoded)
        arrivals &+= 1
      } else {
        decoded.unknown[Int(LogEntry.slot(head)), default: 0] += 1
      }
      offset &+= LogEntry.size
    }
  }

  @inline(__always)
  private mutating func take(
    _ entry: LogEntryQueues.Waiting, of logger: Logger, into decoded: inout DecodedLog
  ) {
    let resetID = LogEntry.resetID(entry.head)
    if groups[logger.group].resetID != resetID {
      end(groups[logger.group])
      (groups[logger.group].filled, groups[logger.group].resetID) = (0, resetID)
    }
    if queues.counts[logger.queue] == 0 { groups[logger.group].filled &+= 1 }
    queues.append(entry, to: logger.queue)
    while groups[logger.group].filled == groups[logger.group].parts {
      complete(logger.group, into: &decoded)
    }
  }

  private mutating func end(_ group: Group) {
    for part in 0..<group.parts { queues.removeAll(of: group.first + part) }
  }

  /// Takes one entry of each part where these belong together, and else the oldest away.
  @inline(__always)
  private mutating func complete(_ index: Int, into decoded: inout DecodedLog) {
    let (first, parts) = (groups[index].first, groups[index].parts)
    let opening = queues.first(of: first)
    words[0] = opening.data
    var (oldest, oldestDistance, newestDistance) = (first, Int32(0), Int32(0))
    for part in 1..<max(parts, 1) {
      let entry = queues.first(of: first &+ part)
      words[part] = entry.data
      let distance = Int32(bitPattern: entry.tick &- opening.tick)
      if distance < oldestDistance { (oldest, oldestDistance) = (first &+ part, distance) }
      newestDistance = max(newestDistance, distance)
    }
    guard Int64(newestDistance) - Int64(oldestDistance) <= Self.tolerance else {
      return remove(oldest, of: index)
    }
    append(groups[index], opening, to: &decoded)
    for part in 0..<parts { remove(first &+ part, of: index) }
  }

  @inline(__always)
  private mutating func remove(_ queue: Int, of group: Int) {
    queues.removeFirst(of: queue)
    if queues.counts[queue] == 0 { groups[group].filled &-= 1 }
  }

  /// Reads the sample whose parts lie in `words`.
  @inline(__always)
  private func append(
    _ group: borrowing Group, _ opening: LogEntryQueues.Waiting, to decoded: inout DecodedLog
  ) {
    let resetID = Int(LogEntry.resetID(opening.head))
    for sample in group.samples {
      let start = decoded.values.count
      for number in sample.values { decoded.values.append(value(number)) }
      let tick = sample.tick.map { told($0, near: opening.tick) } ?? opening.tick
      decoded.entries.append(
        DecodedLog.Entry(
          stream: group.stream, clock: BoardTick(resetID: resetID, tick: tick),
          values: start..<decoded.values.count))
    }
  }

  /// The tick that an accounter put in front, which is no later than the entry's; shorter ones tell its lower part.
  private func told(_ tick: LoggedSample.Number, near written: UInt32) -> UInt32 {
    let told = bits(tick)
    guard tick.width < 4 else { return told }
    let lowerPart = UInt32.max >> UInt32(32 - 8 * tick.width)
    return written &- ((written &- told) & lowerPart)
  }

  @inline(__always)
  private func bits(_ number: LoggedSample.Number) -> UInt32 {
    let word = number.offset >> 2
    let both = UInt64(words[word]) | UInt64(words[word &+ 1]) << 32
    let raw = UInt32(truncatingIfNeeded: both >> UInt64(truncatingIfNeeded: (number.offset & 3) &* 8))
    let unused = UInt32(truncatingIfNeeded: 32 &- 8 &* number.width)
    return (raw << unused) >> unused
  }

  @inline(__always)
  private func value(_ number: LoggedSample.Number) -> Double {
    let raw = bits(number)
    if number.isFlag { return raw == 0 ? 0 : 1 }
    if number.isFloat { return Double(Float(bitPattern: raw)) * number.unit }
    guard number.isSigned else { return Double(raw) * number.unit }
    let shift = UInt32(truncatingIfNeeded: 32 &- 8 &* number.width)
    return Double(Int32(bitPattern: raw << shift) >> Int32(bitPattern: shift)) * number.unit
  }
}
