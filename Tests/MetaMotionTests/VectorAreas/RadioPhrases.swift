import BoardKit
import FleetModel

@testable import MetaMotion

/// Advertising, connection and whitelist.
struct RadioPhrases: VectorArea {
  private var revision: UInt8

  init(on board: Inventory) { revision = board.revision(of: .settings) ?? 0 }

  mutating func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    if let match = phrase.wholeMatch(of: #/settings revision (\d+)/#) {
      revision = UInt8(match.1) ?? 0
      return true
    }
    if let match = phrase.wholeMatch(
      of: #/(?:settings revision (\d+): |set )advertising interval (\d+) ms, timeout (\d+) s/#)
    {
      let advertising = Advertising(
        milliseconds: Double(match.2) ?? 0, timeoutSeconds: UInt8(match.3) ?? 0,
        revision: match.1.flatMap { UInt8($0) } ?? revision)
      return stage.write(advertising.command(revision: match.1.flatMap { UInt8($0) } ?? revision))
    }
    if let match = phrase.wholeMatch(of: #/set TX power (-?\d+) dBm/#) {
      return stage.write(TransmissionPower.set(Int8(match.1) ?? 0))
    }
    if let match = phrase.wholeMatch(of: #/whitelist entry (\d): public address (.+)/#) {
      let address = try NotUnderstood.unless(BluetoothAddress(String(match.2)))
      return stage.write(Whitelist.set(UInt8(match.1) ?? 0, to: address, .public))
    }
    switch phrase {
    case "start advertising": return stage.write(Advertising.start)
    case "read scan response": return stage.write(ScanResponse.register.read())
    case "read connection parameters": return stage.write(RadioSettings.connection.read())
    default: return false
    }
  }

  func hear(_ packet: [UInt8]) throws -> [Heard]? {
    switch packet.prefix(2) {
    case [0x11, 0x87]: return [.value(.string(try NotUnderstood.unless(ScanResponse.bytes(packet)).hex))]
    case [0x11, 0x89]:
      let connection = try NotUnderstood.unless(RadioSettings.Connection(packet))
      let milliseconds = { (duration: Duration) in JSONValue.number(duration / .milliseconds(1)) }
      return [
        .value([
          "min_interval_ms": milliseconds(connection.interval.lowerBound),
          "max_interval_ms": milliseconds(connection.interval.upperBound),
          "latency": .integer(Int64(connection.latency)), "timeout_ms": milliseconds(connection.timeout),
        ])
      ]
    default: return nil
    }
  }
}
