import BoardKit
import FleetModel

/// Makes the LED show something, and reads back whether it was told right (MQTT contract 3.2).
struct LEDControl {
  let exchange: Exchange
  /// Of the LED module; decides what a pattern may hold.
  let revision: UInt8

  /// Carries out one command.
  func perform(_ command: LEDCommand) async throws(ProtocolFailure) -> CommandOutcome {
    switch command {
    case .show(let show):
      let evidence = try await self.show(show.channels)
      return .done(evidence: evidence, data: ["playing": .bool(!show.channels.isEmpty)])
    case .off:
      let evidence = try await show([:])
      return .done(evidence: evidence, data: ["playing": false])
    case .pause: return try await play(LED.pause, expecting: .paused)
    case .play: return try await play(LED.play, expecting: .playing)
    case .autoplay: return try await play(LED.autoplay, expecting: .autoplaying)
    case .light:
      return .failed(
        CommandFailure(.internal, "a light command reached the board without its last appearance"))
    }
  }

  /// Stops and clears the LED, programs `channels` and plays them. Throws when the board holds other patterns then.
  func show(_ channels: [LEDChannel: LEDPulse]) async throws(ProtocolFailure) -> Evidence {
    try await exchange.tell(LED.stopAndClear)
    var expected: [LEDChannel: [UInt8]] = [:]
    for channel in LEDChannel.allCases {
      guard let pulse = channels[channel] else { continue }
      let command = LED.program(channel, pulse, revision: revision)
      expected[channel] = command
      try await exchange.tell(command)
    }
    if !channels.isEmpty { try await exchange.tell(LED.play) }
    return try await evidence(for: expected)
  }

  /// Compares the pattern registers with what was written. Firmware that does not answer proves nothing, and
  /// what a cleared channel answers is not known for certain: only a wrong pattern is an error.
  private func evidence(for expected: [LEDChannel: [UInt8]]) async throws(ProtocolFailure) -> Evidence {
    for channel in LEDChannel.allCases where expected.isEmpty || expected[channel] != nil {
      guard let reply = try await exchange.probe(LED.pattern, LED.number(of: channel)) else {
        return .linkWrite
      }
      let held = LED.command(from: reply, of: channel)
      if held == expected[channel] { continue }
      guard let wanted = expected[channel] else { return .linkWrite }
      throw .unexpected(
        "the LED's \(channel.rawValue) channel holds \(held?.hex ?? "nothing") instead of \(wanted.hex)")
    }
    return .readback
  }

  private func play(
    _ command: [UInt8], expecting state: LED.Playback
  ) async throws(ProtocolFailure) -> CommandOutcome {
    try await exchange.tell(command)
    let reply = try await exchange.probe(LED.playback)
    let isProved = reply.flatMap(LED.playback) == state
    return .done(evidence: isProved ? .readback : .linkWrite, data: ["playing": .bool(state != .paused)])
  }
}
