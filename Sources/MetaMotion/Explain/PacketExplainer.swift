import BoardKit
import FleetModel

/// Says what packets mean, one after the other: what an early packet tells of the board helps with later ones.
package struct PacketExplainer: Sendable {
  private var context: PacketContext

  /// Begins with what is known of the board.
  package init(_ context: PacketContext = PacketContext()) { self.context = context }

  /// The meaning of a packet from `sender`. Where nobody says who sent it and the bytes do not either, there are two.
  package mutating func explain(
    _ packet: [UInt8], from sender: PacketExplanation.Sender? = nil
  ) -> [PacketExplanation] {
    let readings = (sender.map { [$0] } ?? PacketExplanation.Sender.allCases).map {
      explanation(of: packet, from: $0)
    }
    let complete = readings.filter(\.isComplete)
    let likely = complete.isEmpty ? readings.filter { $0.registerName != nil } : complete
    var chosen = likely.isEmpty ? Array(readings.prefix(1)) : likely
    if likely.isEmpty, sender == nil { chosen[0].notes.append("the board may have sent it as well") }
    for reading in chosen where chosen.count == 1 { learn(from: reading) }
    return chosen
  }

  private func explanation(
    of packet: [UInt8], from sender: PacketExplanation.Sender
  ) -> PacketExplanation {
    var result = PacketExplanation(packet: packet, sender: sender)
    guard let first = packet.first else {
      result.notes.append("there is nothing in it")
      return result
    }
    let module = Module(rawValue: first)
    result.module = module?.name
    guard packet.count > 1 else {
      result.notes.append("a packet has at least two bytes: module and register")
      return result
    }
    let access = Self.access(packet[1], sender)
    result.register = packet[1] & 0x3F
    result.access = access
    guard let module else {
      result.notes.append("no module has the number \([first].hex)")
      result.unknown = Array(packet.dropFirst(2))
      return result
    }
    guard let meaning = meaning(of: packet[1] & 0x3F, module), let layout = layout(of: meaning, access) else {
      result.notes.append(excuse(for: module))
      result.unknown = Array(packet.dropFirst(2))
      return result
    }
    var reader = PayloadReader(packet, context)
    layout(&reader)
    result.registerName = meaning.name
    result.fields = reader.fields
    result.unknown = reader.rest
    result.isShort = reader.isShort
    result.notes = reader.notes
    if reader.isShort { result.notes.append("it is shorter than it should be") }
    return result
  }

  private static func access(_ byte: UInt8, _ sender: PacketExplanation.Sender) -> PacketExplanation.Access {
    switch (sender, byte & 0x80 != 0, byte & 0x40 != 0) {
    case (.host, true, true): .silentRead
    case (.host, true, false): .read
    case (.host, false, _): .write
    case (.board, true, _): .answer
    case (.board, false, _): .notification
    }
  }

  private func layout(
    of meaning: RegisterMeaning, _ access: PacketExplanation.Access
  ) -> RegisterMeaning.Layout? {
    switch access {
    case .write: meaning.write
    case .read, .silentRead: meaning.question
    case .answer: meaning.answer
    case .notification: meaning.notification
    }
  }

  private func excuse(for module: Module) -> String {
    switch module {
    case .accelerometer where context.chip == nil:
      "the register may be one of a chip's own: say --model r, rl or s"
    default: "no packet like this is known for this register"
    }
  }

  private func meaning(of register: UInt8, _ module: Module) -> RegisterMeaning? {
    let registers = [ModuleMeanings.information] + ModuleMeanings.registers(of: module, context)
    return registers.first { $0.number == register }
  }

  private mutating func learn(from reading: PacketExplanation) {
    guard let name = reading.module, let module = Module(named: name), let register = reading.register else {
      return
    }
    let payload = Array(reading.packet.dropFirst(2))
    if register == 0, reading.access == .answer, let info = ModuleInfo.decode(reading.packet) {
      if module == .temperature { context.temperatureSources = Temperature(info)?.sources ?? [] }
      if module == .accelerometer { context.chip = Accelerometer(info)?.chip ?? context.chip }
    }
    context.scales.learn(Register(module, register), payload, on: context.chip)
  }
}
