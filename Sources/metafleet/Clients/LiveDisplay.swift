import Dialects
import FleetModel

/// What a command keeps drawing on the whole terminal.
protocol LiveDisplay: Sendable {
  /// How long a picture stays at most.
  var framePeriod: Duration { get }
  /// Takes a message in that arrived at this uptime.
  mutating func received(_ message: MQTTMessage, at uptime: Duration)
  /// Takes a key; false when it asks to leave.
  mutating func press(_ key: TerminalKey) -> Bool
  /// The broker is back, and sends what it keeps.
  mutating func restored()
  /// Whether what it keeps is here, as far as one can know, so long after it was back.
  mutating func isWhole(after span: Duration) -> Bool
  /// Lines that fill the screen, none wider and not more than there are rows. `notice` is about the connection.
  mutating func lines(
    at uptime: Duration, _ now: Timestamp, _ size: TerminalSize, notice: String?, isColoured: Bool
  ) -> [String]
}
