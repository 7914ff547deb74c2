import BoardKit
import FleetModel

/// Sends packets as they are (MQTT contract 3.10).
struct RawControl {
  let exchange: Exchange

  /// Sends all, and waits for what comes from the registers they name, which other packets do not count for.
  func perform(_ command: RawCommand) async throws(ProtocolFailure) -> CommandOutcome {
    guard command.answers > 0 else {
      for packet in command.packets { try await exchange.write(packet) }
      let isAcknowledged = command.packets.allSatisfy { $0.first == Module.macro.rawValue }
      return .done(evidence: isAcknowledged ? .writeAcknowledged : .linkWrite, data: ["packets": []])
    }
    let pattern = AnswerPattern(command.packets.flatMap(Self.answers), "what was sent")
    let packets = try await exchange.gather(
      command.answers, sending: command.packets, answer: pattern, within: command.timeout)
    let data: JSONObject = ["packets": .array(packets.map { .string(Hex.string($0)) })]
    guard packets.count == command.answers else {
      return .failed(
        CommandFailure(
          .boardError,
          "\(packets.count) of \(command.answers) packets were received within \(DurationText.format(command.timeout))",
          data: data))
    }
    return .done(evidence: .response, data: data)
  }

  /// How answers to `packet` begin: with its register, as notifications and as reads name it.
  private static func answers(to packet: [UInt8]) -> [[UInt8]] {
    guard packet.count >= 2 else { return [] }
    let number = packet[1] & 0x3F
    return [number, number | 0x80, number | 0xC0].map { [packet[0], $0] }
  }
}
