import BoardKit
import FleetModel

/// Makes a board stand out: it flashes white and moves once, then shows again what it showed before.
struct Identification {
  let exchange: Exchange
  /// Of the LED module.
  let revision: UInt8
  /// Whether there is a module for a motor; only some boards have one soldered to it.
  let canMove: Bool

  /// What the LED was doing, as far as the board tells.
  private struct Display {
    var patterns: [[UInt8]] = []
    var playback: LED.Playback?
  }

  /// Flashes for `seconds`; returns when the LED is as before.
  func identify(seconds: Int) async throws(ProtocolFailure) -> Evidence {
    let before = try await display()
    let evidence = try await LEDControl(exchange: exchange, revision: revision).show(
      flashes(seconds: seconds))
    if canMove { try await exchange.write(Haptic.motor(percent: 100, milliseconds: 500)) }
    try await exchange.wait(for: .seconds(seconds))
    try await restore(before)
    return evidence
  }

  /// White flashes that end by themselves, in case nobody is there to end them.
  private func flashes(seconds: Int) -> [LEDChannel: LEDPulse] {
    var pulse = LEDPattern.flash.pulse
    pulse.repetitions = UInt8(clamping: min(max(seconds, 1), 60) * 1_000 / Int(pulse.period))
    return Dictionary(uniqueKeysWithValues: LEDChannel.allCases.map { ($0, pulse) })
  }

  private func display() async throws(ProtocolFailure) -> Display {
    var display = Display()
    for channel in LEDChannel.allCases {
      // Firmware that does not tell about one channel tells about none.
      guard let reply = try await LEDControl.pattern(of: channel, by: exchange) else { return display }
      if let command = LED.command(from: reply, of: channel) { display.patterns.append(command) }
    }
    display.playback = try await exchange.probe(LED.playback).flatMap(LED.playback)
    return display
  }

  private func restore(_ display: Display) async throws(ProtocolFailure) {
    try await exchange.write(LED.stopAndClear)
    for pattern in display.patterns { try await exchange.write(pattern) }
    switch display.playback {
    case .autoplaying: try await exchange.write(LED.autoplay)
    case .paused: break
    case .playing, nil: if !display.patterns.isEmpty { try await exchange.write(LED.play) }
    }
  }
}
