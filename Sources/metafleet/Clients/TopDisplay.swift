import Dialects
import FleetModel

/// `top` on a terminal.
struct TopDisplay: LiveDisplay {
  private var monitor: FleetMonitor
  private var screen: TopScreen
  /// A view of the same topics in which nothing is.
  private let empty: FleetView

  init(_ monitor: FleetMonitor, _ screen: TopScreen, empty: FleetView) {
    (self.monitor, self.screen, self.empty) = (monitor, screen, empty)
  }

  var framePeriod: Duration { .milliseconds(500) }

  mutating func received(_ message: MQTTMessage, at uptime: Duration) {
    monitor.received(message, at: uptime)
  }

  mutating func press(_ key: TerminalKey) -> Bool { screen.press(key) }

  mutating func restored() { monitor.restored(empty) }

  mutating func isWhole(after span: Duration) -> Bool { monitor.isWhole(after: span) }

  mutating func lines(
    at uptime: Duration, _ now: Timestamp, _ size: TerminalSize, notice: String?, isColoured: Bool
  ) -> [String] {
    let tables = FleetTables(monitor: monitor, uptime: uptime, now: now)
    return screen.lines(tables, size, notice: notice, isColoured: isColoured)
  }
}
