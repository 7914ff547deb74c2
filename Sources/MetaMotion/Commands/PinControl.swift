import BoardKit
import FleetModel

/// Sets up a pin (MQTT contract 3.9).
struct PinControl {
  let exchange: Exchange
  let inventory: Inventory
  /// Tells the changes of pins.
  let streams: StreamControl

  /// Carries out one command; of all it does, only the kind of change can be read back.
  func perform(_ command: PinCommand) async throws(ProtocolFailure) -> CommandOutcome {
    let pins = inventory.modules[.gpio]?.extra.count ?? 0
    guard inventory.has(.gpio), command.pin < pins else {
      return .failed(
        CommandFailure(
          .unsupported, "this \(inventory.model.rawValue) has no pin \(command.pin); it has \(pins), from 0"))
    }
    // Heard from before the pin reports until it no longer does.
    if let change = command.change, change != .off { try await streams.watch(pin: command.pin, true) }
    for packet in Self.packets(command) { try await exchange.write(packet) }
    if command.change == .off { try await streams.watch(pin: command.pin, false) }
    let data: JSONObject = ["pin": .integer(Int64(command.pin))]
    guard let wanted = command.change.flatMap({ Pin.Edge(named: $0.rawValue) }) else {
      return .done(evidence: .linkWrite, data: data)
    }
    let question = Pin.changeType.read(command.pin)
    let reply = try await exchange.probe(question, answer: Pin.changeType.answer())
    guard let onBoard = reply.flatMap({ Pin(number: command.pin).counted($0) }) else {
      return .done(evidence: .linkWrite, data: data)
    }
    guard onBoard == wanted else {
      throw .unexpected("pin \(command.pin) notices \(onBoard) instead of \(wanted)")
    }
    return .done(evidence: .readback, data: data)
  }

  /// What is written. A pin is driven last: its pull does not disturb the level then.
  static func packets(_ command: PinCommand) -> [[UInt8]] {
    let pin = Pin(number: command.pin)
    var packets: [[UInt8]] = []
    if let pull = command.pull.flatMap({ Pin.Pull(named: $0.rawValue) }) { packets.append(pin.pull(pull)) }
    if let edge = command.change.flatMap({ Pin.Edge(named: $0.rawValue) }) {
      packets += [pin.count(edge), pin.watch(edge != .off)]
    }
    if let isHigh = command.isHigh { packets.append(pin.drive(high: isHigh)) }
    return packets
  }
}
