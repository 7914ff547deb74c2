import BoardKit
import FleetModel

/// Sets up a pin (MQTT contract 3.9).
struct PinControl {
  let exchange: Exchange
  let inventory: Inventory

  /// Carries out one command; of all it does, only the kind of change can be read back.
  func perform(_ command: PinCommand) async throws(ProtocolFailure) -> CommandOutcome {
    let pins = inventory.modules[.gpio]?.extra.count ?? 0
    guard inventory.has(.gpio), command.pin < pins else {
      return .failed(
        CommandFailure(
          .unsupported, "this \(inventory.model.rawValue) has no pin \(command.pin); it has \(pins), from 0"))
    }
    for packet in Self.packets(command) { try await exchange.tell(packet) }
    let data: JSONObject = ["pin": .integer(Int64(command.pin))]
    guard let wanted = command.change.map(GPIO.Change.init) else {
      return .done(evidence: .linkWrite, data: data)
    }
    let question = GPIO.changeType.read(command.pin)
    let reply = try await exchange.probe(question, answer: GPIO.changeType.answer())
    guard let held = reply.flatMap({ GPIO.change($0, of: command.pin) }) else {
      return .done(evidence: .linkWrite, data: data)
    }
    guard held == wanted else { throw .unexpected("pin \(command.pin) notices \(held) instead of \(wanted)") }
    return .done(evidence: .readback, data: data)
  }

  /// What is written. A pin is driven last: its pull does not disturb the level then.
  static func packets(_ command: PinCommand) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    if let pull = command.pull { packets.append(GPIO.pull(command.pin, GPIO.Pull(pull))) }
    if let change = command.change {
      packets.append(GPIO.setChange(command.pin, GPIO.Change(change)))
      packets.append(GPIO.monitor(command.pin, change != .off))
    }
    if let isHigh = command.isHigh { packets.append(GPIO.set(command.pin, high: isHigh)) }
    return packets
  }
}

extension GPIO.Pull {
  fileprivate init(_ pull: PinCommand.Pull) {
    switch pull {
    case .up: self = .up
    case .down: self = .down
    case .none: self = .none
    }
  }
}

extension GPIO.Change {
  fileprivate init(_ change: PinCommand.Change) {
    switch change {
    case .off: self = .off
    case .rising: self = .rising
    case .falling: self = .falling
    case .any: self = .any
    }
  }
}
