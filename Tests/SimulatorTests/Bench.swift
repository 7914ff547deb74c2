import Simulator

/// A board on the bench: connected, and driven with packets as text.
struct Bench {
  var firmware: Firmware
  var now: Duration

  init(
    _ model: BoardModel = .s, seed: UInt64 = 1, style: Motion.Style = .resting, resetCount: UInt8 = 0,
    crystal: Crystal = Crystal(),
    ledger: LedgerScope = [], assumptions: FirmwareAssumptions = FirmwareAssumptions(),
    at now: Duration = .zero,
    connected: Bool = true
  ) {
    firmware = Firmware(
      model: model, identity: BoardIdentity(number: 1), seed: seed, style: style, resetCount: resetCount,
      assumptions: assumptions, crystal: crystal, ledger: ledger, at: now)
    self.now = now
    if connected { _ = firmware.connected(at: now) }
  }

  /// Writes packets and returns the notifications that they cause.
  @discardableResult
  mutating func write(_ packets: String...) -> [String] {
    packets.flatMap { firmware.write([UInt8](hex: $0), at: now) }.notifications
  }

  @discardableResult
  mutating func write(bytes: [UInt8]) -> [Effect] { firmware.write(bytes, at: now) }

  mutating func advance(by duration: Duration) -> [String] { run(for: duration).notifications }

  /// Lets time pass as a driver does: from event to event.
  mutating func run(for duration: Duration) -> [Effect] {
    let end = now + duration
    var effects: [Effect] = []
    while let next = firmware.nextEvent, next <= end { effects += firmware.advance(to: next) }
    now = end
    return effects + firmware.advance(to: end)
  }

  mutating func disconnect() -> [Effect] { firmware.disconnected(at: now) }

  mutating func connect() -> [Effect] { firmware.connected(at: now) }
}

extension [Effect] {
  var notifications: [String] { packets.map(\.hex) }

  var packets: [[UInt8]] {
    compactMap { if case .notify(let bytes) = $0 { bytes } else { nil } }
  }
}
