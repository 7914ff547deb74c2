import FleetModel
import Simulator

/// What the days are like.
struct DayPlan: Sendable {
  var hours = 24
  var seed: UInt64 = 1
  /// Boards that log their temperature once a minute.
  var slowBoards = 200
  /// Boards that log their acceleration a hundred times a second,
  var fastBoards = 2
  /// for this long; then they are told to log what the slow ones do. Nil: to the end.
  var fastHours: Int?

  /// Boards that stream: acceleration at 12.5 Hz and angular velocity at 25 Hz in turn.
  var streamBoards = 2

  /// Adapters, and how many links each of them carries.
  var adapters = 2
  var slots = 5

  /// How long after a visit to a slow board its next one is due.
  var visitHours = 1

  /// How many defects strike boards on a day.
  var defectsPerDay = 40
  /// Whether packets of read-outs are among what they lose.
  var losesEntries = true

  /// Whether anything goes wrong.
  var hasAccidents = true

  /// A file for all that goes out on the lanes of samples, then in every encoding.
  var archive: String?

  var boards: Int { slowBoards + fastBoards + streamBoards }

  var span: Duration { .seconds(3_600 * hours) }

  /// Boards are numbered from 1, the fast ones first, those that stream last.
  func isFast(_ number: Int) -> Bool { number <= fastBoards }

  func isStreaming(_ number: Int) -> Bool { number > slowBoards + fastBoards }

  /// What goes wrong, each at a time that the seed chooses.
  enum Accident: Sendable, Equatable {
    case reset(board: Int)
    case dropLink(board: Int)
    /// Something goes wrong inside it.
    case defect(board: Int, BoardDefect)
    case heal(board: Int)
    /// What it sends arrives at multiples of this only.
    case clump(board: Int, Duration)
    case brokerAway(Duration)
    /// Too far away, or without power, for a while.
    case boardAway(board: Int, isAway: Bool)
    /// An adapter is pulled out, and plugged in again under another name.
    case pullOut(adapter: Int)
    case plugIn(adapter: Int)
    /// Somebody orders new firmware for it, which erases what it has logged.
    case update(board: Int)
    case restart
    case kill(downFor: Duration)
    /// A restart with a configuration in which the fast boards are slow ones.
    case slowDown
  }

  /// In order of time; as many on every day, but for the end of the fast boards.
  var accidents: [(at: Duration, accident: Accident)] {
    var random = SeededGenerator(seed: seed ^ 0xDA75)
    var accidents: [(at: Duration, accident: Accident)] = []
    if let fastHours { accidents.append((.seconds(3_600 * fastHours), .slowDown)) }
    for day in 0..<(hasAccidents ? (hours + 23) / 24 : 0) {
      func time() -> Duration {
        .seconds(86_400 * day) + .milliseconds(Int64(random.fraction() * 86_400_000))
      }
      func board() -> Int { 1 + Int(random.fraction() * Double(boards)) }
      for _ in 0..<20 { accidents.append((time(), .reset(board: board()))) }
      for _ in 0..<200 { accidents.append((time(), .dropLink(board: board()))) }
      for number in 1...max(1, fastBoards) where fastBoards > 0 {
        accidents.append((time(), .reset(board: number)))
        for _ in 0..<20 { accidents.append((time(), .dropLink(board: number))) }
      }
      accidents.append((time(), .brokerAway(.seconds(600 + Int64(random.fraction() * 6_600)))))
      for _ in 0..<4 { accidents.append((time(), .restart)) }
      for _ in 0..<12 { accidents.append((time(), .kill(downFor: .seconds(2)))) }
    }
    if hasAccidents { accidents += defects + lossesOfStreams + absences + updates }
    return accidents.filter { $0.at <= span }.sorted { $0.at < $1.at }
  }

  /// What begins within the days is over when they end.
  private func end(_ time: Duration, of start: Duration) -> Duration { start < span ? min(time, span) : time }

  /// Defects and their ends, from luck of their own, so that the other accidents are what they were without.
  private var defects: [(at: Duration, accident: Accident)] {
    var random = SeededGenerator(seed: seed ^ 0xDEFEC7)
    var defects: [(at: Duration, accident: Accident)] = []
    for day in 0..<(hours + 23) / 24 {
      for _ in 0..<defectsPerDay {
        let time = Duration.seconds(86_400 * day) + .milliseconds(Int64(random.fraction() * 86_400_000))
        // Every fourth strikes a fast board: they are few, and work most.
        let isFast = fastBoards > 0 && random.fraction() < 0.25
        let board = 1 + Int(random.fraction() * Double(isFast ? fastBoards : boards))
        defects.append((time, .defect(board: board, defect(&random))))
        defects.append((end(time + .seconds(7_200), of: time), .heal(board: board)))
      }
    }
    return defects
  }

  /// Boards and adapters that are away for a while, from luck of its own. One adapter at a time: the other carries on.
  private var absences: [(at: Duration, accident: Accident)] {
    var random = SeededGenerator(seed: seed ^ 0xAB5E)
    var accidents: [(at: Duration, accident: Accident)] = []
    for day in 0..<(hours + 23) / 24 {
      for part in 0..<4 where adapters > 1 {
        let start = Duration.seconds(86_400 * day + 21_600 * part + Int(random.fraction() * 10_000))
        let adapter = Int(random.fraction() * Double(adapters))
        accidents.append((start, .pullOut(adapter: adapter)))
        let back = start + .seconds(60 + Int(random.fraction() * 3_000))
        accidents.append((end(back, of: start), .plugIn(adapter: adapter)))
      }
      for _ in 0..<8 {
        let start = Duration.seconds(86_400 * day) + .milliseconds(Int64(random.fraction() * 70_000_000))
        let board = fastBoards + 1 + Int(random.fraction() * Double(max(1, slowBoards)))
        guard !isStreaming(board) else { continue }
        accidents.append((start, .boardAway(board: board, isAway: true)))
        let back = start + .seconds(600 + Int(random.fraction() * 14_400))
        accidents.append((end(back, of: start), .boardAway(board: board, isAway: false)))
      }
    }
    return accidents
  }

  /// Boards that get new firmware, from luck of its own; each has two hours for it.
  private var updates: [(at: Duration, accident: Accident)] {
    var random = SeededGenerator(seed: seed ^ 0xF1A5)
    var accidents: [(at: Duration, accident: Accident)] = []
    for day in 0..<(hours + 23) / 24 where slowBoards > 0 {
      for _ in 0..<3 {
        let time = Duration.seconds(86_400 * day) + .milliseconds(Int64(random.fraction() * 79_200_000))
        let board = fastBoards + 1 + Int(random.fraction() * Double(slowBoards))
        if time + .seconds(7_200) <= span { accidents.append((time, .update(board: board))) }
      }
    }
    return accidents
  }

  /// What befalls the boards that stream, from luck of its own.
  private var lossesOfStreams: [(at: Duration, accident: Accident)] {
    var random = SeededGenerator(seed: seed ^ 0x57E4)
    var accidents: [(at: Duration, accident: Accident)] = []
    for day in 0..<(hours + 23) / 24 {
      for number in 1...boards where isStreaming(number) {
        func add(_ times: Int, _ accident: (inout SeededGenerator) -> Accident) {
          for _ in 0..<times {
            let time = Duration.seconds(86_400 * day) + .milliseconds(Int64(random.fraction() * 86_400_000))
            accidents.append((time, accident(&random)))
          }
        }
        add(2) { _ in .reset(board: number) }
        add(10) { _ in .dropLink(board: number) }
        add(10) { .defect(board: number, .doubledSamples(1 + Int($0.fraction() * 40))) }
        // Packets are lost between the hours of clumps: within clumps losses can be told by their number only.
        for hour in stride(from: 0, to: 24, by: 2) {
          let start = Duration.seconds(86_400 * day + 3_600 * hour)
          // Not the rhythm of packets, 120 and 240 ms: a sensor of that speed looks like it.
          let clump = Duration.milliseconds(Int64(270 + random.fraction() * 730))
          let short = Duration.milliseconds(Int64(20 + random.fraction() * 70))
          accidents.append((start, .clump(board: number, random.fraction() < 0.3 ? short : clump)))
          accidents.append((start + .seconds(3_600), .clump(board: number, .zero)))
          for minute in [10, 30, 50] {
            accidents.append(
              (
                start + .seconds(3_600 + 60 * minute),
                .defect(board: number, .lostSamples(1 + Int(random.fraction() * 40)))
              ))
          }
        }
      }
    }
    return accidents
  }

  private func defect(_ random: inout SeededGenerator) -> BoardDefect {
    let count = 1 + Int(random.fraction() * 4)
    switch Int(random.fraction() * 8) {
    case 0: return .lostWrites(RegisterPlace(module: 0x03, register: 0x03), count)
    case 1: return .lostWrites(RegisterPlace(module: 0x0B, register: 0x01), count)
    case 2: return .unreadable(RegisterPlace(module: 0x03, register: 0x03), count)
    case 3: return .truncated(RegisterPlace(module: 0x0B, register: 0x05), count)
    case 4: return .unknownNotifications(5)
    case 5: return .damagedTicks(count)
    case 6: return .doubledEntries(count)
    default: return losesEntries ? .lostEntries(count) : .unknownNotifications(5)
    }
  }
}
