package import FleetModel

/// What a board measured or did, also with an entry of its log: what an onlooker holds against what the host makes of
/// it.
package enum LedgerEntry: Equatable, Sendable {
  /// Why entries are no longer there.
  package enum Removal: String, Sendable {
    /// The host confirmed their page.
    case confirmed
    /// The host dropped them.
    case dropped
    /// The oldest made room.
    case overwritten
    /// They were not in flash yet when the processor stopped; the newest ones.
    case power
    /// They went with the firmware that wrote them.
    case update
  }

  /// The nine bytes of one that was written down.
  case logged([UInt8])
  /// One that found the log full.
  case refused
  /// So many of the oldest are gone, or of the newest.
  case removed(Int, Removal)
  /// The host asked for so many.
  case readOut(Int)
  /// The host was told that a page is complete; it had so many entries.
  case page(Int)
  /// The six bytes of a sample that the sensor of a module took for the host.
  case measured(module: UInt8, [UInt8])

  // What it does, for recordings.
  /// The same sample in the sensor's unit, as the chip shows it: g, degrees per second, microtesla.
  case felt(module: UInt8, SIMD3<Double>)
  /// A register of a module fired, with its index where it has one; where it has none, somebody listens to it.
  case fired(module: UInt8, register: UInt8, index: UInt8?, [UInt8])
  /// These colours of the LED are on, or blink, until a time of the simulation, or for ever.
  case lit([String], until: Duration?)
  /// The motor or a buzzer is driven for so long.
  case driven(percent: Int, isBuzzer: Bool, for: Duration)
  /// A pin is driven.
  case pin(UInt8, isHigh: Bool)
  case link(isUp: Bool)
  /// The processor starts anew; why.
  case restarted(String)

  /// Whether it became of an entry of the log.
  package var isOfLog: Bool {
    switch self {
    case .logged, .refused, .removed, .readOut, .page: true
    case .measured, .felt, .fired, .lit, .driven, .pin, .link, .restarted: false
    }
  }
}

/// What of a board is told to onlookers.
package struct LedgerScope: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// What becomes of its log.
  package static let log = LedgerScope(rawValue: 1)
  /// The samples of its accelerometer, gyroscope and magnetometer that somebody listens to.
  package static let samples = LedgerScope(rawValue: 2)
  /// What its sensors feel for somebody, what fires, and what its LED, motor, pins, link and processor do.
  package static let actions = LedgerScope(rawValue: 4)
}

/// Hears what a board measured and what becomes of its log, and when by the time of the simulation.
package typealias LedgerSink = @Sendable (BluetoothAddress, LedgerEntry, Duration) -> Void

extension LedgerEntry: CustomStringConvertible {
  /// One line: what happened, then its number or bytes.
  package var description: String {
    switch self {
    case .logged(let bytes): "logged " + Self.hexadecimal(bytes)
    case .refused: "refused"
    case .removed(let count, let removal): "\(removal.rawValue) \(count)"
    case .readOut(let count): "read-out \(count)"
    case .page(let count): "page \(count)"
    case .felt(let module, let value): "felt \(Self.hexadecimal([module])) \(value.x) \(value.y) \(value.z)"
    case .fired(let module, let register, let index, let bytes):
      "fired " + Self.hexadecimal([module, register] + (index.map { [$0] } ?? []) + bytes)
    case .lit(let colours, let until):
      "lit \(colours.joined(separator: "+"))\(until.map { " until \($0.inSeconds)" } ?? "")"
    case .driven(let percent, let isBuzzer, let span):
      "\(isBuzzer ? "buzzer" : "motor") \(percent) \(span.inSeconds)"
    case .pin(let number, let isHigh): "pin \(number) \(isHigh ? "high" : "low")"
    case .link(let isUp): "link \(isUp ? "up" : "down")"
    case .restarted(let cause): "restarted \(cause)"
    case .measured(let module, let bytes): "measured \(Self.hexadecimal([module])) \(Self.hexadecimal(bytes))"
    }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { digits[Int($0)] }.joined()
  }

  private static let digits = (0..<256).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
}
