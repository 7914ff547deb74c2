import BoardKit
import FleetModel
import Storage

@testable import metafleet

/// An archive with one board's log of a family of its own: five bytes an entry, a slot and a tick of a millisecond; its
/// value is the tick's.
enum LogExample {
  static let format = LogFormat(
    entrySize: 5, timing: BoardTiming(nanoseconds: 1_000_000, perTicks: 1, resetIDs: 8),
    clock: { bytes, offset in
      guard offset + 5 <= bytes.byteCount else { return nil }
      return BoardTick(
        resetID: 0, tick: bytes.unsafeLoadUnaligned(fromByteOffset: offset + 1, as: UInt32.self))
    }, makeDecoder: { streams, _ in Decoder(streams: streams) })

  private struct Decoder: LogDecoder {
    let streams: [LoggedStream]
    var rest: [UInt8] { [] }

    mutating func decode(_ entries: RawSpan, doubtful: ArraySlice<Int>, into decoded: inout DecodedLog) {
      for offset in stride(from: 0, to: entries.byteCount, by: 5) {
        let slot = Int(entries.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
        guard let clock = LogExample.format.clock(entries, offset),
          let stream = streams.firstIndex(where: { $0.slots == [slot] })
        else { continue }
        // A die holds no more than some dozens of degrees, a switch nothing but 0 and 1.
        let isSwitch = streams[stream].fields[0].kind == .flag
        decoded.values.append(isSwitch ? Double(clock.tick / 10 % 2) : Double(clock.tick % 60_000) / 1_000)
        let end = decoded.values.count
        decoded.entries.append(.init(stream: stream, clock: clock, values: end - 1..<end))
      }
    }
  }

  static let start = Timestamp(milliseconds: 1_763_671_000_000)
  static let board = BoardID("c0ffee000001")!
  static let streams = [
    LoggedStream(
      name: "temperature-die", fields: [.init("temperature_c", "°C", decimals: 3)], slots: [0], layout: []),
    LoggedStream(name: "switch", fields: [.init("pressed", "", .flag)], slots: [1], layout: []),
  ]

  static func session(
    _ number: Int64 = 1, board: BoardID = board, streams: [LoggedStream] = streams,
    progress: LogSession.Progress = .cleared, expected: Int? = nil, stored: Int = 0
  ) -> LogSession {
    var random = SeededGenerator(seed: UInt64(number))
    let started = start + .seconds(number)
    return LogSession(
      id: ULID(at: started, using: &random), board: board, started: started, streams: streams, boot: 1,
      resetID: 0,
      tick: 0, progress: progress, expected: expected, stored: stored)
  }

  /// `count` entries, one every 10 ms, every fourth of the switch.
  static func entries(_ count: Int) -> [UInt8] {
    var entries: [UInt8] = []
    for number in 0..<count {
      entries.append(number % 4 == 3 ? 1 : 0)
      withUnsafeBytes(of: UInt32(number * 10).littleEndian) { entries += $0 }
    }
    return entries
  }

  /// Fills the archive of a state directory and closes it.
  static func fill(_ directory: String, entries count: Int, publishing: Int? = nil) async throws -> LogSession
  {
    let store = try Store(directory: directory, executor: InlineExecutor())
    let session = session()
    try await store.logs.begin(session)
    let reading = ClockReading(clock: BoardTick(resetID: 0, tick: 0), time: start, error: .milliseconds(2))
    try await store.logs.add(ClockAnchor(reading, boot: 1, isHostTimeKnown: true), of: board)
    try await store.logs.beginReadOut(of: session.id, expecting: count)
    _ = try await store.logs.append(entries(count), endsPage: true, to: session.id, entrySize: 5, at: start)
    _ = try await store.logs.endReadOut(of: session.id, isFinished: true, received: count)
    try await store.logs.noteCleared(session.id)
    try await store.close()
    return session
  }
}

/// Runs every job at once on the thread that brings it: enough for an actor that never waits.
final class InlineExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
  }
}
