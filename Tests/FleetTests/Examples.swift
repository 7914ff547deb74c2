import FleetModel
import Logging

extension BoardID {
  /// A board of the tests' own.
  static func number(_ number: Int) -> BoardID {
    BoardID(BluetoothAddress(rawValue: 0xC0FF_EE00_0000 + UInt64(number)))
  }
}

extension AdapterID {
  /// An adapter of the tests' own.
  static func number(_ number: Int) -> AdapterID {
    AdapterID(BluetoothAddress(rawValue: 0x001A_7DDA_7100 + UInt64(number)))
  }
}

extension Timestamp {
  /// Milliseconds after the moment at which the tests' clocks start.
  static func at(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: 1_763_671_234_000 + milliseconds)
  }
}

extension ULID {
  /// The same for the same seed.
  static func seeded(_ seed: UInt64) -> ULID {
    var random = SeededGenerator(seed: seed)
    return ULID(at: .at(0), using: &random)
  }
}

extension StreamRequest {
  /// Acceleration at a rate, as a profile would want it.
  static func acceleration(_ rate: Int64) -> StreamRequest {
    StreamRequest(
      name: "acceleration", configuration: ["rate_hz": .integer(rate), "range_g": 4, "record": true])
  }

  /// Temperature of the die.
  static let temperature = StreamRequest(
    name: "temperature-die", configuration: ["every": "10s", "record": true])
}

/// A log that nobody reads.
func silentLog() -> Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
