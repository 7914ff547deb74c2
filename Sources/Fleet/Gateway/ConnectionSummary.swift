/// How many boards are connected, as a line of the log now and then: a line for each link that comes or goes is too
/// much of sixty boards. Pure.
struct ConnectionSummary: Sendable {
  /// As often at most, but for the line that all are connected.
  static let period = Duration.seconds(60)

  private struct Count: Hashable { var connected, boards: Int }
  private var written: Count?
  /// When the next line may be written.
  private var due: Duration?
  /// How long until it may, as of the last look; nil while there is nothing to write.
  private(set) var wait: Duration?

  /// The line to write, if any, now that so many of the gateway's boards are connected.
  mutating func line(connected: Int, of boards: Int, at now: Duration) -> String? {
    let count = Count(connected: connected, boards: boards)
    // Nothing is said of the first minute but that all are there: they come one after the other.
    let due = due ?? now + Self.period
    self.due = due
    let isChange = count != written && (boards > 0 || written != nil)
    guard isChange, connected == boards || now >= due else {
      wait = isChange ? due - now : nil
      return nil
    }
    (written, self.due, wait) = (count, now + Self.period, nil)
    return "\(connected) of \(boards) \(boards == 1 ? "board" : "boards") connected"
  }
}
