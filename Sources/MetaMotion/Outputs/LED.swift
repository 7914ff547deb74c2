import BoardKit
import FleetModel

/// The LED's three channels and their patterns (protocol reference, section 6).
enum LED {
  /// What `playback` may hold.
  enum Playback: UInt8, Sendable { case paused = 0, playing = 1, autoplaying = 2 }

  static let playback = Register(.led, 0x01)
  static let stopping = Register(.led, 0x02)
  static let pattern = Register(.led, 0x03)

  static let pause = playback.write(Playback.paused.rawValue)
  static let play = playback.write(Playback.playing.rawValue)
  static let autoplay = playback.write(Playback.autoplaying.rawValue)
  static let stopAndClear = stopping.write(1)

  /// A pulse, as opposed to the firmware's solid and blink.
  private static let pulseKind: UInt8 = 2
  /// Repetitions that never end; 0 would be undefined (trap T28).
  private static let forever: UInt8 = 0xFF

  /// The channel's number on the wire.
  static func number(of channel: LEDChannel) -> UInt8 {
    switch channel {
    case .green: 0
    case .red: 1
    case .blue: 2
    }
  }

  /// Programs one channel. Firmware before revision 1 knows no delay; 0 is written there.
  static func program(_ channel: LEDChannel, _ pulse: LEDPulse, revision: UInt8) -> [UInt8] {
    var payload = [number(of: channel), pulseKind, min(pulse.high, 31), min(pulse.low, 31)]
    payload.append(number: pulse.riseTime)
    payload.append(number: pulse.highTime)
    payload.append(number: pulse.fallTime)
    payload.append(number: pulse.period)
    payload.append(number: revision >= 1 ? pulse.delay : 0)
    payload.append(pulse.repetitions == 0 ? forever : pulse.repetitions)
    return pattern.write(payload)
  }

  /// The command that would program what an answer to a read of `pattern` holds; nil when the channel is not
  /// programmed, which boards say by a short answer or by zeros.
  static func command(from reply: [UInt8], of channel: LEDChannel) -> [UInt8]? {
    guard reply.count > 4, reply[2] == number(of: channel), reply[4...].contains(where: { $0 != 0 }) else {
      return nil
    }
    return pattern.write(Array(reply[2...]))
  }

  /// The pulse in an answer to a read of `pattern`; nil when the channel has none.
  static func pulse(from reply: [UInt8], of channel: LEDChannel) -> LEDPulse? {
    guard let command = command(from: reply, of: channel), command.count >= 17, command[3] == pulseKind,
      let rise = command.number(at: 6, as: UInt16.self), let high = command.number(at: 8, as: UInt16.self),
      let fall = command.number(at: 10, as: UInt16.self),
      let period = command.number(at: 12, as: UInt16.self),
      let delay = command.number(at: 14, as: UInt16.self)
    else { return nil }
    return LEDPulse(
      high: command[4], low: command[5], riseTime: rise, highTime: high, fallTime: fall, period: period,
      delay: delay, repetitions: command[16] == forever ? 0 : command[16])
  }

  /// What an answer to a read of `playback` says; nil when it says nothing we know.
  static func playback(_ reply: [UInt8]) -> Playback? {
    reply.number(at: 2, as: UInt8.self).flatMap(Playback.init(rawValue:))
  }
}

extension LED {
  /// What a command writes: a show is stopped and cleared before it is programmed and played.
  static func packets(_ command: LEDCommand, revision: UInt8) -> [[UInt8]] {
    switch command {
    case .show(let show):
      let programs = LEDChannel.allCases.compactMap { channel in
        show.channels[channel].map { program(channel, $0, revision: revision) }
      }
      return [stopAndClear] + programs + (programs.isEmpty ? [] : [play])
    case .off: return [stopAndClear]
    case .pause: return [pause]
    case .play: return [play]
    case .autoplay: return [autoplay]
    case .light: return []
    }
  }
}
