import FleetModel

/// Which adapters received a board's advertisements lately, and how well. Pure.
struct HeardBoard: Sendable {
  private struct Signal: Sendable {
    /// In dBm, smoothed.
    var strength: Int
    /// By uptime.
    var at: Duration
  }

  /// How long an advertisement makes a board worth an attempt. Scans repeat it every ten to eleven seconds at worst.
  static let freshness = Duration.seconds(15)
  /// What a board counts with whose strength nobody knows.
  static let unknownStrength = -100

  private var signals: [AdapterID: Signal] = [:]
  /// Since when it has been received without a pause, by uptime.
  private(set) var since: Duration

  init(since: Duration) { self.since = since }

  /// One advertisement, `strength` in dBm. Single ones vary by some decibels: newer ones count for a quarter.
  mutating func advertised(by adapter: AdapterID, strength: Int?, at now: Duration) {
    if adapters(at: now).isEmpty { since = now }
    guard let strength else {
      signals[adapter] = Signal(strength: self.strength(by: adapter, at: now), at: now)
      return
    }
    let before = signals[adapter].flatMap { now - $0.at <= Self.freshness ? $0.strength : nil } ?? strength
    signals[adapter] = Signal(strength: (before * 3 + strength) / 4, at: now)
  }

  /// Those that received it lately.
  func adapters(at now: Duration) -> [AdapterID] {
    signals.filter { now - $0.value.at <= Self.freshness }.map(\.key)
  }

  /// How well `adapter` receives it, in dBm.
  func strength(by adapter: AdapterID, at now: Duration) -> Int {
    guard let signal = signals[adapter], now - signal.at <= Self.freshness else {
      return Self.unknownStrength
    }
    return signal.strength
  }
}
