package import BoardKit
package import FleetModel
package import Storage

/// Turns one session's raw entries into numbered, dated batches (MQTT contract 1.7). Pure; the archive's cursor and what
/// this leaves behind go to the disk together, so that the same batch always holds the same bytes.
package struct LogLane: Sendable {
  /// Samples in a batch at most.
  static let longestBatch = 500
  /// Bytes of a batch at most, with room for its head (MQTT contract 9).
  static let largestBatch = 240 << 10

  private(set) var state: LogLaneState
  private let session: LogSession
  private let format: LogFormat
  private let streams: [Column]
  /// Samples in a batch of each stream at most.
  private let longest: [Int]
  private var scan: TickRunScan
  private var decoder: any LogDecoder
  private var decoded = DecodedLog()
  /// Entries that were decoded.
  package private(set) var position: Int

  /// What does not change about a stream.
  private struct Column: Sendable {
    var name: String
    var stream: LoggedStream
    var check: SampleCheck?
  }

  /// Samples of a stream that were left out, because no sensor can measure what they say.
  struct LeftOut: Hashable, Sendable {
    var stream: String
    var field: String
    var value: Double
    var count: Int
  }

  /// Goes on at `cursor`. Nil when the cursor cannot be read.
  package init?(_ session: LogSession, format: LogFormat, from cursor: LogCursor) {
    guard let state = cursor.lane.isEmpty ? LogLaneState() : LogLaneState(cursor.lane) else { return nil }
    (self.session, self.format, self.state, position) = (session, format, state, cursor.position)
    var names: Set<String> = []
    streams = session.streams.enumerated().map { index, stream in
      // Two of one name would share their numbers.
      let name = Self.wireName(stream.name)
      let own = names.insert(name).inserted ? name : "\(name)-\(index)"
      return Column(
        name: own, stream: stream, check: SampleCheck(of: stream.name, holding: stream.fields))
    }
    longest = session.streams.map { Self.longestBatch(of: $0.fields) }
    scan = TickRunScan(from: session.resetID, resetIDs: format.timing.resetIDs, runs: state.runs)
    decoder = format.makeDecoder(session.streams, state.rest)
  }

  /// How far it is, for the archive.
  package var cursor: LogCursor { LogCursor(position: position, lane: state.bytes) }

  /// Entries that were looked through for resets.
  package var scanned: Int { state.scanned }

  /// Others' loggers bear names that are no topic levels (`temperature[0]`).
  package static func wireName(_ name: String) -> String {
    let level = name.lowercased().utf8.prefix(64).map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      default: UInt8(ascii: "-")
      }
    }
    return level.isEmpty ? "unknown" : String(decoding: level, as: UTF8.self)
  }

  /// So many samples that even the longest numbers fit.
  private static func longestBatch(of fields: [StreamDefinition.Field]) -> Int {
    let sample = fields.reduce(40) { $0 + $1.name.utf8.count + 30 }
    return max(1, min(longestBatch, largestBatch / sample))
  }

  /// Looks pieces through for resets, which must be known before the first of their samples is dated.
  package mutating func scan(_ pieces: [LogPiece]) {
    for piece in pieces where piece.position == state.scanned {
      let bytes = piece.entries.span.bytes
      for offset in stride(from: 0, to: bytes.byteCount, by: format.entrySize) {
        if let clock = format.clock(bytes, offset) { scan.take(clock) }
      }
      state.scanned += piece.count
    }
    state.runs = scan.runs
  }

  /// Whether it can be told already which runs the log's are, although more of it is to come: nobody saw a reset.
  package func isCertain(_ history: BoardHistory) -> Bool {
    history.runs.last.map { $0.boot == session.boot } ?? false
  }

  /// Whether times cannot be told because the board's numbers of resets began anew (fault F44).
  package private(set) var isAmbiguous = false

  /// What was left out since the lane was made, by stream.
  private(set) var leftOut: [LeftOut] = []

  /// Decodes and dates pieces that were looked through. All their complete samples are in the batches.
  package mutating func publish(
    _ pieces: [LogPiece], gaps: [LogGap], history: BoardHistory
  ) -> [SampleBatch] {
    state.take(gaps)
    var dating = LogDating(
      state.runs, of: history, boot: session.boot, tick: session.tick, started: session.started,
      from: state.place)
    isAmbiguous = dating.isAmbiguous
    decoded.removeAll()
    for piece in pieces where piece.position == position {
      decoder.decode(piece.entries.span.bytes, into: &decoded)
      position += piece.count
    }
    for (slot, count) in decoded.unknown { state.unknown[slot, default: 0] += count }
    var batches = LogBatches(session, drift: history.drift)
    let samples = decoded
    for entry in samples.entries where longest.indices.contains(entry.stream) {
      let stamp = dating.date(entry.clock)
      let values = samples.values.span.extracting(entry.values)
      if let field = streams[entry.stream].check?.impossible(in: values) {
        leaveOut(entry.stream, field, values[field])
        batches.leaveOut(entry.stream, streams[entry.stream].name, &state)
        continue
      }
      if !batches.hasRoom(for: entry.stream, stamp, longest: longest[entry.stream]) {
        let column = streams[entry.stream]
        batches.open(entry.stream, column.name, column.stream, stamp, dating.anchor, &state)
      }
      batches.append(entry.stream, stamp, values)
    }
    let all = batches.take(&state)
    state.rest = decoder.rest
    state.place = dating.place
    return all
  }

  private mutating func leaveOut(_ stream: Int, _ field: Int, _ value: Double) {
    let column = streams[stream]
    if let index = leftOut.firstIndex(where: { $0.stream == column.name }) {
      leftOut[index].count += 1
    } else {
      leftOut.append(
        LeftOut(stream: column.name, field: column.stream.fields[field].name, value: value, count: 1))
    }
  }
}
