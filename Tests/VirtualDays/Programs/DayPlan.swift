import FleetModel

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

  /// How long after a visit to a slow board its next one is due.
  var visitHours = 1

  /// Whether anything goes wrong.
  var hasAccidents = true

  var boards: Int { slowBoards + fastBoards }

  var span: Duration { .seconds(3_600 * hours) }

  /// Boards are numbered from 1, the fast ones first.
  func isFast(_ number: Int) -> Bool { number <= fastBoards }

  /// What goes wrong, each at a time that the seed chooses.
  enum Accident: Sendable, Equatable {
    case reset(board: Int)
    case dropLink(board: Int)
    case brokerAway(Duration)
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
    return accidents.filter { $0.at < span }.sorted { $0.at < $1.at }
  }
}
