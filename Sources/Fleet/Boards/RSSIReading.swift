import FleetModel

/// How strong a board was when it was last heard.
///
/// BlueZ measures advertisements only and tells nothing of a link; a board that is connected does not advertise, so the
/// number may be old, and says how old it is.
struct RSSIReading: Hashable, Sendable {
  /// In dBm.
  var strength: Int
  /// When, by the gateway's uptime.
  var at: Duration

  /// The answer to `read what=rssi` (MQTT contract 3.3).
  static func answer(_ signal: RSSIReading?, now: Duration) -> CommandOutcome {
    guard let signal else {
      return .failed(
        CommandFailure(
          .unsupported,
          "no advertisement received since the gateway started; BlueZ reports no RSSI while connected"))
    }
    return .done(
      evidence: .response,
      data: [
        "rssi_dbm": .integer(Int64(signal.strength)),
        "age_ms": .integer(max(.zero, now - signal.at).wholeMilliseconds),
      ])
  }
}
