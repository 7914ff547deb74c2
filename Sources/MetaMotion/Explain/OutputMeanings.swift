import BoardKit
import FleetModel

/// Registers of the LED and of the motor (protocol reference, sections 6 and 13).
enum OutputMeanings {
  static let led: [RegisterMeaning] = [
    .setting(0x01, "playback") { $0.choice("mode", ["paused", "playing", "playing as soon as programmed"]) },
    .setting(0x02, "stop") { $0.flag("clear patterns") },
    RegisterMeaning(
      number: 0x03, name: "pattern of a channel", write: pattern, question: channel,
      answer: { reader in
        // A channel that is not programmed answers with its number alone.
        if reader.rest.count == 1 { channel(&reader) } else { pattern(&reader) }
      }),
  ]

  private static let channel: RegisterMeaning.Layout = { $0.choice("channel", ["green", "red", "blue"]) }

  private static let pattern: RegisterMeaning.Layout = { reader in
    channel(&reader)
    let kind = reader.rest.first
    reader.choice("kind", ["solid", "blink", "pulse"])
    guard kind != 0, kind != 1 else { return reader.bytes("settings") }
    reader.number("high", UInt8.self, "of 31")
    reader.number("low", UInt8.self, "of 31")
    for time in ["rise time", "high time", "fall time", "period", "delay"] {
      reader.number(time, UInt16.self, "ms")
    }
    if reader.rest.first == 0xFF {
      reader.skip(1)
      reader.add("repetitions", "for ever")
    } else {
      reader.number("repetitions", UInt8.self)
    }
  }

  static let haptic: [RegisterMeaning] = [
    .action(0x01, "pulse") { reader in
      // 248 is the firmware's full duty.
      reader.scaled("duty", UInt8.self, per: 2.48, "%")
      reader.number("length", UInt16.self, "ms")
      reader.choice("drive", ["motor", "buzzer"])
    }
  ]
}
