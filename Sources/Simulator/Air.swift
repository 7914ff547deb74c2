package import FleetModel
import Glibc

/// What lies between boards and an adapter: distance, time, and bad luck. Decides, from a seed, what is heard,
/// whether a connection opens, how long a link lives and which packets get through.
package struct Air: Sendable {
  /// As the air is now. The defaults are good air with the times of real adapters.
  package struct Conditions: Sendable, Equatable {
    /// Signal strength in dBm; each board has its own place in the range.
    package var signal: ClosedRange<Int> = -75 ... -45
    /// A board that advertises all the time is reported this often (BlueZ restarts its scan).
    package var scanPeriod: Duration = .milliseconds(10_500)
    /// Share of reports that are missed.
    package var missedReports = 0.0
    /// From the request until the link is up and the attributes are discovered.
    package var connecting: ClosedRange<Duration> = .milliseconds(130)...(.milliseconds(200))
    package var discovering: ClosedRange<Duration> = .milliseconds(650)...(.milliseconds(800))
    /// An attempt to reach a board that does not answer is given up after this time.
    package var connectTimeout: Duration = .seconds(40)
    /// Share of connection attempts that fail.
    package var refusals = 0.0
    /// Mean time until a link is lost; nil for never.
    package var linkLife: Duration?
    /// Share of notifications that get lost behind the link (the link itself repeats what it loses).
    package var lostNotifications = 0.0
    /// Between two connection events, in which a board tells all that it has to tell by then; zero: it waits for none.
    package var connectionInterval: Duration = .zero
    /// How late notifications arrive, in order.
    package var latency: ClosedRange<Duration> = .zero ... .zero
    /// How many links an adapter holds at once; nil for any number.
    package var slots: Int?

    package init() {}
  }

  /// How an attempt to connect ends.
  package enum Attempt: Equatable, Sendable {
    case opens(after: Duration)
    case refused(after: Duration)
    /// Nobody answers.
    case silence
  }

  package var conditions: Conditions
  /// Boards that are too far away, whatever they advertise.
  package var outOfRange: Set<BluetoothAddress> = []
  /// Boards whose notifications arrive at multiples of this only.
  package var clumps: [BluetoothAddress: Duration] = [:]
  /// Which adapter it lies before, from 0, where there are several.
  private let adapter: Int
  private let seed: UInt64
  private var random: SeededGenerator

  package init(seed: UInt64, conditions: Conditions = Conditions()) {
    self.init(seed: seed, adapter: 0, conditions: conditions)
  }

  private init(seed: UInt64, adapter: Int, conditions: Conditions) {
    (self.seed, self.adapter, self.conditions) = (seed, adapter, conditions)
    random = SeededGenerator(seed: seed &+ UInt64(adapter))
  }

  /// The air before another adapter, with luck of its own.
  func beside(_ adapter: Int) -> Air { Air(seed: seed, adapter: adapter, conditions: conditions) }

  /// Signal strength at which a board's advertisement is heard by an adapter, its own where none is named; nil if it is
  /// not, this time.
  package mutating func hear(_ board: BluetoothAddress, by adapter: Int? = nil) -> Int? {
    guard !outOfRange.contains(board), !chance(conditions.missedReports) else { return nil }
    return signal(of: board, by: adapter)
  }

  /// Around the board's own place in the range, in dBm. Adapters beside the first one are elsewhere in the building.
  package mutating func signal(of board: BluetoothAddress, by adapter: Int? = nil) -> Int {
    let adapter = adapter ?? self.adapter
    var place = SeededGenerator(
      seed: adapter == 0 ? board.rawValue : (board.rawValue | UInt64(adapter) << 48) &+ seed)
    return Int.random(in: conditions.signal, using: &place) + Int.random(in: -3...3, using: &random)
  }

  package mutating func attempt(on board: BluetoothAddress) -> Attempt {
    guard !outOfRange.contains(board) else { return .silence }
    let connecting = duration(in: conditions.connecting)
    guard !chance(conditions.refusals) else { return .refused(after: connecting) }
    return .opens(after: connecting)
  }

  /// From the open link until the board's attributes are known.
  package mutating func discoveryTime() -> Duration { duration(in: conditions.discovering) }

  /// How long the next link lives; nil for as long as both sides want.
  package mutating func linkLife() -> Duration? {
    conditions.linkLife.map { mean in
      // Exponential: a link does not age.
      let share = Double.random(in: Double.leastNonzeroMagnitude..<1, using: &random)
      return mean * -log(share)
    }
  }

  package mutating func losesNotification() -> Bool { chance(conditions.lostNotifications) }

  /// When a notification arrives that a board sends at `now`.
  package mutating func arrival(from board: BluetoothAddress, at now: Duration) -> Duration {
    let late = now + duration(in: conditions.latency)
    guard let span = clumps[board], span > .zero else { return late }
    return span * Double(Int64((late / span).rounded(.up)))
  }

  private mutating func chance(_ share: Double) -> Bool {
    share > 0 && Double.random(in: 0..<1, using: &random) < share
  }

  private mutating func duration(in range: ClosedRange<Duration>) -> Duration {
    .nanoseconds(
      Int64.random(in: range.lowerBound.wholeNanoseconds...range.upperBound.wholeNanoseconds, using: &random))
  }
}
