import FleetModel
import Simulator
import Synchronization

/// What the boards wrote down and what subscribers got of it: the one against the other, while both go on.
final class DayLedger: Sendable {
  /// What is known of one board.
  struct Account: Sendable {
    /// Written down and not published yet, oldest first, from `first` on.
    private var entries: [(bytes: [UInt8], time: Duration)] = []
    private var first = 0
    private(set) var logged = 0
    private(set) var published = 0
    /// Lost with the power, before they were in flash: nobody can have them.
    private(set) var lostWithPower = 0
    /// Erased by new firmware before they were read: they were to be downloaded first.
    private(set) var lostToFirmware = 0
    /// Found the log full.
    private(set) var refused = 0
    private(set) var gaps = 0
    /// How many were published when the first one comes that was written after a loss of which no gap has told yet.
    private var lossUntold: Int?

    var waiting: Int { entries.count - first }

    mutating func note(_ entry: LedgerEntry, at time: Duration) {
      switch entry {
      case .logged(let bytes):
        entries.append((bytes, time))
        logged += 1
      case .refused: refused += 1
      case .removed(let count, .power):
        entries.removeLast(min(count, waiting))
        lostWithPower += count
        lossUntold = lossUntold ?? logged - lostWithPower
      case .removed(let count, .update): lostToFirmware += count
      default: break
      }
    }

    mutating func noteGap() {
      gaps += 1
      lossUntold = nil
    }

    /// Whether something was published that was written after a loss, and no gap told of the loss; once for each.
    mutating func takeSilentLoss() -> Bool {
      guard let lossUntold, published > lossUntold else { return false }
      self.lossUntold = nil
      return true
    }

    /// The oldest that was not published.
    mutating func take(_ count: Int) -> [(bytes: [UInt8], time: Duration)]? {
      guard waiting >= count else { return nil }
      defer {
        first += count
        published += count
        if first > 100_000, first > entries.count / 2 {
          entries.removeFirst(first)
          first = 0
        }
      }
      return Array(entries[first..<(first + count)])
    }
  }

  /// How the stamps are, over all boards.
  struct Times: Sendable {
    var samples = 0
    var outside = 0
    var unknown = 0
    var worst = 0.0
    var statedSum = 0.0
  }

  struct State: Sendable {
    var accounts: [BoardID: Account] = [:]
    var streams: [BoardID: DayStream] = [:]
    var visits: [BoardID: DayVisits] = [:]
    var times = Times()
    var findings: [String] = []
    var nextSequence: [String: Int] = [:]
    var batches: Set<String> = []
  }

  private let state = Mutex(State())
  private let start: Timestamp

  init(start: Timestamp) { self.start = start }

  var accounts: [BoardID: Account] { state.withLock(\.accounts) }
  var streams: [BoardID: DayStream] { state.withLock(\.streams) }
  var visits: [BoardID: DayVisits] { state.withLock(\.visits) }
  var times: Times { state.withLock(\.times) }
  var findings: [String] { state.withLock(\.findings) }

  func note(_ board: BoardID, _ entry: LedgerEntry, at time: Duration) {
    state.withLock {
      if case .measured(_, let bytes) = entry {
        $0.streams[board, default: DayStream()].measured(bytes, at: start + time)
      } else {
        $0.accounts[board, default: Account()].note(entry, at: time)
      }
    }
  }

  /// What a board sends arrives at multiples of `span` from now on.
  func clump(_ board: BoardID, _ span: Duration) {
    state.withLock { $0.streams[board, default: DayStream()].clump = span }
  }

  func accuse(_ board: BoardID, _ words: String) { state.withLock { $0.accuse(board, words) } }

  private func noteVisit(_ board: BoardID, _ event: String, _ message: MQTTMessage) {
    guard let event = DayVisits.Event(rawValue: event),
      let time = (try? StrictJSON.parse(message.payload, limits: .trusting))?.object?["ts_ms"]?.integer
    else { return }
    state.withLock {
      $0.visits[board, default: DayVisits()].note(event, at: Timestamp(milliseconds: time) - start)
    }
  }

  /// Takes what a subscriber got.
  func received(_ message: MQTTMessage) {
    let levels = message.topic.split(separator: "/")
    guard levels.count == 5, let board = BoardID(String(levels[2])) else { return }
    if levels[3] == "event" { return noteVisit(board, String(levels[4]), message) }
    let kind = DayStream.Kind(rawValue: String(levels[4]))
    guard levels[3] == "log" || levels[3] == "record" && kind != nil else { return }
    guard let batch = (try? StrictJSON.parse(message.payload, limits: .trusting))?.object else {
      return state.withLock { $0.findings.append("a batch on \(message.topic) is no JSON") }
    }
    state.withLock {
      if levels[3] == "record", let kind {
        $0.streams[board, default: DayStream()].published(batch, kind)
      } else {
        $0.take(batch, of: board, levels[4] == "acceleration" ? .acceleration : .temperature, since: start)
      }
    }
  }
}

extension DayLedger.State {
  /// What the boards log.
  enum Stream { case acceleration, temperature }

  mutating func take(_ batch: JSONObject, of board: BoardID, _ stream: Stream, since start: Timestamp) {
    guard let session = batch["session"]?.string, let sequence = batch["seq"]?.integer,
      let id = batch["batch_id"]?.string, let samples = batch["samples"]?.array,
      let clock = batch["clock"]?.object
    else { return accuse(board, "a batch lacks keys") }
    // The broker may get a batch twice, and subscribers drop repeats.
    guard batches.insert(id).inserted else { return }
    let key = "\(board) \(session) \(stream)"
    if Int(sequence) != nextSequence[key, default: 0] {
      accuse(board, "seq \(sequence) of session \(session) instead of \(nextSequence[key, default: 0])")
    }
    nextSequence[key] = Int(sequence) + samples.count
    if batch["gap_before"]?.integer != 0 { accounts[board]?.noteGap() }
    let stated = clock["source"]?.string == "unknown" ? nil : clock["err_ms"]?.number
    for sample in samples { take(sample.object ?? [:], of: board, stream, stated, since: start) }
  }

  private mutating func take(
    _ sample: JSONObject, of board: BoardID, _ stream: Stream, _ stated: Double?, since start: Timestamp
  ) {
    guard let written = accounts[board, default: DayLedger.Account()].take(stream == .acceleration ? 2 : 1)
    else {
      return accuse(board, "a sample was published that was never written down")
    }
    if accounts[board]?.takeSilentLoss() == true {
      accuse(board, "entries were lost with its power, and no gap says so")
    }
    let values = written.map { entry in
      (Self.number(entry.bytes, at: 5), Self.number(entry.bytes, at: 7))
    }
    let expected: [Double]
    let keys: [String]
    switch stream {
    case .acceleration:
      (keys, expected) = (
        ["ax_g", "ay_g", "az_g"], [values[0].0, values[0].1, values[1].0].map { Double($0) / 8192 }
      )
    case .temperature: (keys, expected) = (["temperature_c"], [Double(values[0].0) / 8])
    }
    for (key, value) in zip(keys, expected) where abs((sample[key]?.number ?? .nan) - value) > 0.00001 {
      return accuse(board, "\(key) is \(sample[key]?.number ?? .nan) instead of \(value)")
    }
    times.samples += 1
    guard let stated, let stamp = sample["ts_us"]?.integer else {
      times.unknown += 1
      return
    }
    let truth = start + written[0].time
    let off = abs(Double(stamp) / 1_000 - Double(truth.nanoseconds) / 1_000_000)
    times.statedSum += stated
    times.worst = max(times.worst, off - stated)
    if off > stated { times.outside += 1 }
  }

  private static func number(_ bytes: [UInt8], at place: Int) -> Int16 {
    Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
  }

  mutating func accuse(_ board: BoardID, _ words: String) {
    if findings.count < 20 { findings.append("\(board): \(words)") }
  }
}
