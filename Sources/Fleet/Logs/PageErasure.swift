import FleetModel

/// When a page of a log that came in whole may be erased on its board (MQTT contract 7.4, `visit.clear`). Pure.
enum PageErasure: Hashable, Sendable {
  /// At no time.
  case never
  /// Once it is on our disk.
  case stored
  /// Once the broker has acknowledged its samples, too.
  case acknowledged
  /// Once it is on our disk, although the profile wants it acknowledged: reply and session say so.
  case beforePublished

  /// How long a page waits for the broker, and the board with it.
  static let publishTimeout = Duration.seconds(30)

  /// `isDatable`: the page's samples can be dated, and so published, before all others are here, which a reset of the
  /// board inside the log prevents. `wasStoppedForBroker`: the last read-out ended because the broker acknowledged
  /// nothing; two in a row would have the board run full.
  init(_ order: DownloadOrder, policy: VisitPolicy.Clear, isDatable: Bool, wasStoppedForBroker: Bool) {
    switch (order.clear, policy) {
    case (false, _), (nil, .never): self = .never
    case (true, _), (nil, .complete): self = .stored
    case (nil, .published): self = isDatable && !wasStoppedForBroker ? .acknowledged : .beforePublished
    }
  }

  var mayErase: Bool { self != .never }
}
