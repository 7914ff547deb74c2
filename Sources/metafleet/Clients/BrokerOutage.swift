/// What a screen knows of its connection to the broker, and says of it (fault F211). Pure: uptimes in, words out.
struct BrokerOutage: Hashable, Sendable {
  private enum Phase: Hashable {
    case connected
    case gone(since: Duration, reason: String)
    /// Connected again; what the broker keeps of the fleet is on its way.
    case returned(since: Duration)
  }

  private var phase = Phase.connected

  /// Since when the picture is the last one there was; nil while it is not.
  var began: Duration? {
    if case .gone(let since, _) = phase { since } else { nil }
  }

  /// Since when the broker is back and the picture may not be whole yet.
  var ended: Duration? {
    if case .returned(let since) = phase { since } else { nil }
  }

  /// The connection was lost, or could not be made again.
  mutating func lost(because reason: String, at uptime: Duration) {
    phase = .gone(since: began ?? uptime, reason: reason)
  }

  mutating func restored(at uptime: Duration) { phase = .returned(since: uptime) }

  /// The picture is whole again.
  mutating func isOver() { phase = .connected }

  /// One line for people; nil while there is nothing to say.
  func line(at uptime: Duration) -> String? {
    switch phase {
    case .connected: nil
    case .gone(let since, let reason):
      "broker gone for \(Age.text(of: uptime - since)), trying again; below is the last picture (\(reason))"
    case .returned: "broker back; reading the fleet again"
    }
  }
}
