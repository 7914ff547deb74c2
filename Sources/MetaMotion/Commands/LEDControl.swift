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
        CommandFailure(.internal, "internal error: LED command without the last appearance; please report it")
      )
    }
  }

  /// Stops and clears the LED, programs `channels` and plays them. Throws when the board holds other patterns then.
  func show(_ channels: [LEDChannel: LEDPulse]) async throws(ProtocolFailure) -> Evidence {
    try await exchange.write(LED.stopAndClear)
    var expected: [LEDChannel: [UInt8]] = [:]
    for channel in LEDChannel.allCases {
      guard let pulse = channels[channel] else { continue }
      let command = LED.program(channel, pulse, revision: revision)
      expected[channel] = command
      try await exchange.write(command)
    }
    guard !channels.isEmpty else { return try await darkness() }
    try await exchange.write(LED.play)
    return try await evidence(for: expected)
  }

  /// What one channel says; nil when it says nothing. Channels without a pattern may leave out their number.
  static func pattern(
    of channel: LEDChannel, by exchange: Exchange
  ) async throws(ProtocolFailure) -> [UInt8]? {
    try await exchange.probe(LED.pattern.read(LED.number(of: channel)), answer: LED.pattern.answer())
  }

  /// Whether the LED that was stopped is dark. What holds a pattern all the same is stopped once more, for the write
  /// may have been lost; what plays on then does not listen. A board may say nothing of channels without a pattern:
  /// where it is silent about one, the others are looked at all the same.
  private func darkness() async throws(ProtocolFailure) -> Evidence {
    var isAnswered = true
    for channel in LEDChannel.allCases {
      guard let reply = try await Self.pattern(of: channel, by: exchange) else {
        isAnswered = false
        continue
      }
      guard LED.command(from: reply, of: channel) != nil else { continue }
      try await exchange.write(LED.stopAndClear)
      guard let again = try await Self.pattern(of: channel, by: exchange) else {
        isAnswered = false
        continue
      }
      guard LED.command(from: again, of: channel) != nil else { continue }
      switch try await exchange.probe(LED.playback).flatMap(LED.playback) {
      case .playing, .autoplaying:
        throw .unexpected("the LED was stopped, but its \(channel.rawValue) channel still plays")
      case .paused, nil: return .linkWrite
      }
    }
    return isAnswered ? .readback : .linkWrite
  }

  /// Compares the pattern registers with what was written. Firmware that does not answer proves nothing; a wrong
  /// pattern is an error.
  private func evidence(for expected: [LEDChannel: [UInt8]]) async throws(ProtocolFailure) -> Evidence {
    for channel in LEDChannel.allCases {
      guard let wanted = expected[channel] else { continue }
      guard let reply = try await Self.pattern(of: channel, by: exchange) else { return .linkWrite }
      let onBoard = LED.command(from: reply, of: channel)
      if onBoard == wanted { continue }
      throw .unexpected(
        "the LED's \(channel.rawValue) channel holds \(onBoard?.hex ?? "nothing") instead of \(wanted.hex)")
    }
    return .readback
  }

  private func play(
    _ command: [UInt8], expecting state: LED.Playback
  ) async throws(ProtocolFailure) -> CommandOutcome {
    try await exchange.write(command)
    var onBoard = try await exchange.probe(LED.playback).flatMap(LED.playback)
    if state == .paused, let reported = onBoard, reported != .paused {
      try await exchange.write(command)
      onBoard = try await exchange.probe(LED.playback).flatMap(LED.playback)
      if let onBoard, onBoard != .paused { throw .unexpected("the LED was paused, but still plays") }
    }
    let isProved = onBoard == state
    return .done(evidence: isProved ? .readback : .linkWrite, data: ["playing": .bool(state != .paused)])
  }
}
