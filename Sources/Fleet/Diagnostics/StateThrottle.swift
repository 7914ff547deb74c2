import FleetModel

/// When a board's state is published: on change, at most once a second, and every five minutes while it is online
/// (MQTT contract 1.3).
struct StateThrottle: Sendable {
  static let spacing = Duration.seconds(1)
  static let repetition = Duration.seconds(300)

  private(set) var last: BoardState?
  /// Whether health counts the board otherwise since the last one went out: as one in trouble, or in maintenance
  /// (fault F209).
  private(set) var isCountedAnew = false
  private var lastTime: Duration?

  /// Whether `state` goes out at `now`, and if not, when to ask again.
  mutating func offer(_ state: BoardState, isOnline: Bool, at now: Duration) -> (isDue: Bool, next: Duration?)
  {
    var comparable = state
    comparable.time = last?.time ?? state.time
    // Being heard again is no change of state; it rides along with the next one.
    comparable.contact.lastSeen = last?.contact.lastSeen
    comparable.rssi = last?.rssi
    let isChanged = comparable != last
    guard let lastTime else { return publish(state, isOnline: isOnline, at: now) }
    if isChanged {
      if now - lastTime >= Self.spacing { return publish(state, isOnline: isOnline, at: now) }
      return (false, lastTime + Self.spacing)
    }
    guard isOnline else { return (false, nil) }
    if now - lastTime >= Self.repetition { return publish(state, isOnline: isOnline, at: now) }
    return (false, lastTime + Self.repetition)
  }

  /// Nothing more will come: `state` goes out now, where it says anything else than what stands there.
  mutating func finish(_ state: BoardState) -> Bool {
    var comparable = state
    comparable.time = last?.time ?? state.time
    guard comparable != last else { return false }
    last = state
    return true
  }

  private mutating func publish(_ state: BoardState, isOnline: Bool, at now: Duration) -> (Bool, Duration?) {
    isCountedAnew =
      state.isInTrouble != (last?.isInTrouble ?? false)
      || (state.orders.maintenance == nil) != (last?.orders.maintenance == nil)
    last = state
    lastTime = now
    return (true, isOnline ? now + Self.repetition : nil)
  }
}
