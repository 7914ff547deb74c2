package import BoardKit
package import FleetModel
package import Storage

/// Turns one session's raw entries into numbered, dated batches (MQTT contract 1.7). Pure; the archive's cursor and
/// what this leaves behind go to the disk together, so that the same batch always holds the same bytes.
package struct LogLane: Sendable {
  /// Samples in a batch at most.
  static let longestBatch = 500
  /// Bytes of a batch at most, with room for its head (MQTT contract 9).
  static let largestBatch = 240 << 10

  private(set) var state: LogLaneState
  private let session: LogSession
  private let format: LogFormat
  private var streams: [Column]
  /// Samples in a batch of each stream at most.
  private let longest: [Int]
  private var scan: LogBootScan
  private var decoder: any LogDecoder
  private var decoded = DecodedLog()
  /// Entries that were decoded.
  package private(set) var position: Int

  /// What does not change about a stream.
  private struct Column: Sendable {
    var name: String
    var stream: LoggedStream
    var check: SampleCheck?
    /// Samples of the piece at hand, by their numbers in it.
    var samples: [Int] = []
  }

  /// Samples of a stream that were left out, because no sensor can measure what they say.
  struct LeftOut: Hashable, Sendable {
    var stream: String
    var field: String
    var value: Double
    var count: Int
  }

  /// Goes on at `cursor`; `earlier` is what the board's session before this one left behind, whose stamps those of this
  /// one follow. Nil when the cursor cannot be read.
  package init?(
    _ session: LogSession, format: LogFormat, from cursor: LogCursor, behind earlier: [UInt8]? = nil
  ) {
    guard var state = cursor.lane.isEmpty ? LogLaneState() : LogLaneState(cursor.lane) else { return nil }
    if cursor.lane.isEmpty, let earlier = earlier.flatMap({ LogLaneState($0) }) {
      state.latest = earlier.latest
    }
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
    scan = LogBootScan(
      from: session.resetID, tick: session.tick, resetIDs: format.timing.resetIDs, state: state.scan)
    scanned = state.scan.position
    decoder = format.makeDecoder(session.streams, state.rest)
  }

  /// How far it is, for the archive.
  package var cursor: LogCursor { LogCursor(position: position, lane: state.bytes) }

  /// Entries that were looked through.
  package private(set) var scanned: Int

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

  /// Looks pieces through for resets and wrong times, which must be known before the first of their samples is dated.
  package mutating func scan(_ pieces: [LogPiece]) {
    for piece in pieces where piece.position == scanned {
      let bytes = piece.entries.span.bytes
      for offset in stride(from: 0, to: bytes.byteCount, by: format.entrySize) {
        let clock = format.clock(bytes, offset) ?? BoardTick(resetID: session.resetID, tick: 0)
        scan.take(TickEntry(clock, logger: format.logger(bytes, offset), reading: piece.reading))
      }
      scanned += piece.count
    }
  }

  /// Judges what was looked through to its end. `isOver`: nothing more is coming of this read-out.
  package mutating func judgeScanned(isOver: Bool) {
    scan.judgePending(isOver: isOver)
    state.scan = scan.state
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
    if state.scan.position < scanned { judgeScanned(isOver: true) }
    var dating = LogDating(
      state.scan.runs, of: history, boot: session.boot, tick: session.tick, started: session.started,
      from: state.place)
    isAmbiguous = dating.isAmbiguous
    var batches = LogBatches(session, drift: history.drift)
    for piece in pieces where piece.position == position {
      // What is missing is declared by the first batch behind it.
      if state.take(gaps, before: position) { batches.end(&state) }
      publish(piece, &dating, into: &batches)
      position += piece.count
    }
    let all = batches.take(&state)
    state.rest = decoder.rest
    state.place = dating.place
    return all
  }

  private mutating func publish(_ piece: LogPiece, _ dating: inout LogDating, into batches: inout LogBatches)
  {
    decoded.removeAll()
    let (runs, doubtful) = (decode(piece), state.scan.doubtful)
    state.scan.doubtful.removeAll { $0 < position + piece.count }
    if doubtful.count != state.scan.doubtful.count { scan.forget(before: position + piece.count) }
    for (slot, count) in decoded.unknown { state.unknown[slot, default: 0] += count }
    let samples = decoded
    let stamps = date(samples.entries, runs, &dating)
    for (index, entry) in samples.entries.enumerated() where longest.indices.contains(entry.stream) {
      let stamp = stamps[index]
      let values = samples.values.span.extracting(entry.values)
      if let field = streams[entry.stream].check?.impossible(in: values) {
        leaveOut(entry.stream, field, values[field])
        batches.leaveOut(entry.stream, streams[entry.stream].name, &state)
        continue
      }
      if !batches.hasRoom(for: entry.stream, stamp, longest: longest[entry.stream]) {
        let column = streams[entry.stream]
        let anchor = stamp.error == nil ? nil : dating.anchor(of: stamp)
        batches.open(entry.stream, column.name, column.stream, stamp, anchor, &state)
      }
      batches.append(entry.stream, stamp, values)
    }
  }

  /// Decodes a piece, run by run. Returns where the samples of each run end, and which run it is.
  private mutating func decode(_ piece: LogPiece) -> [(end: Int, run: Int)] {
    let (bytes, size) = (piece.entries.span.bytes, format.entrySize)
    let runs = state.scan.runs
    var ends: [(end: Int, run: Int)] = []
    var first = 0
    while first < piece.count {
      let run = max(0, (runs.firstIndex { $0.start > position + first } ?? runs.count) - 1)
      let next = run + 1 < runs.count ? runs[run + 1].start - position : piece.count
      let end = min(piece.count, max(first + 1, next))
      let doubtful = state.scan.doubtful.filter { $0 >= position + first && $0 < position + end }
      decoder.decode(
        bytes.extracting(min(bytes.byteCount, first * size)..<min(bytes.byteCount, end * size)),
        doubtful: doubtful.map { $0 - position - first }[...], into: &decoded)
      ends.append((decoded.entries.count, run))
      first = end
    }
    return ends
  }

  /// The stamps of a piece's samples.
  private mutating func date(
    _ entries: [DecodedLog.Entry], _ runs: [(end: Int, run: Int)], _ dating: inout LogDating
  ) -> [LogDating.Stamp] {
    var dated: [LogDating.Stamp?] = []
    dated.reserveCapacity(entries.count)
    for index in streams.indices { streams[index].samples.removeAll(keepingCapacity: true) }
    var (first, doubtful) = (0, [Int: LogDating.Stamp]())
    for (end, run) in runs {
      for index in first..<end {
        let entry = entries[index]
        if entry.isDoubtful { doubtful[index] = dating.doubtful(inRun: run) }
        dated.append(entry.isDoubtful ? nil : dating.date(entry.clock, inRun: run))
        if streams.indices.contains(entry.stream) { streams[entry.stream].samples.append(index) }
      }
      first = end
    }
    let unknown = dating.doubtful(inRun: runs.last?.run ?? 0)
    var stamps = dated.map { $0 ?? unknown }
    for column in streams where !column.samples.isEmpty {
      let line = LogStamps(tick: dating.tickLength, period: column.stream.period)
      let placed = line.increasing(column.samples.map { dated[$0] }, behind: state.latest[column.name]) {
        doubtful[column.samples[$0]] ?? unknown
      }
      for (index, stamp) in zip(column.samples, placed) { stamps[index] = stamp }
      state.latest[column.name] = placed.last?.time
    }
    return stamps
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
