import FleetModel
import Testing

@Suite struct LEDShowTests {
  private func pulse(period: UInt16, delay: UInt16 = 0, repetitions: UInt8) -> LEDPulse {
    LEDPulse(
      high: 31, low: 0, riseTime: 0, highTime: 1, fallTime: 0, period: period, delay: delay,
      repetitions: repetitions)
  }

  private func show(_ channels: [LEDChannel: LEDPulse]) -> LEDShow {
    LEDShow(channels: channels, appearance: LEDAppearance(color: .white, brightness: 255, effect: "custom"))
  }

  @Test func `runs until its longest channel ends`() {
    #expect(
      show([.red: pulse(period: 500, repetitions: 3), .blue: pulse(period: 400, delay: 900, repetitions: 2)])
        .duration
        == .milliseconds(1_700))
    #expect(
      show([.red: pulse(period: .max, delay: .max, repetitions: 254)]).duration == .milliseconds(65_535 * 255)
    )
  }

  @Test func `runs for ever when a channel does`() {
    #expect(
      show([.red: pulse(period: 500, repetitions: 3), .blue: pulse(period: 500, repetitions: 0)]).duration
        == nil)
  }

  @Test func `a dark colour programs nothing`() {
    let dark = LEDShow(
      color: LEDColor(red: 0, green: 0, blue: 0), brightness: 255, pulse: LEDPattern.solid.pulse,
      effect: "solid")
    #expect(dark.channels.isEmpty)
    #expect(
      LEDShow(color: .white, brightness: 0, pulse: LEDPattern.solid.pulse, effect: "solid").channels.isEmpty)
  }
}

/// MQTT contract 3.2: keys left out keep their last value, else white, 255, `solid`.
@Suite struct LEDLightTests {
  private let nothing = LEDLight(color: nil, brightness: nil, effect: nil, flashes: nil)
  private let last = LEDAppearance(
    color: LEDColor(red: 0, green: 0, blue: 200), brightness: 90, effect: "breathe")

  @Test func `without a past it is white and full and solid`() {
    #expect(
      nothing.show(after: nil)
        == LEDShow(color: .white, brightness: 255, pulse: LEDPattern.solid.pulse, effect: "solid"))
  }

  @Test func `keeps what is left out`() {
    #expect(nothing.show(after: last).appearance == last)
    var light = nothing
    light.brightness = 10
    #expect(
      light.show(after: last).appearance
        == LEDAppearance(color: last.color, brightness: 10, effect: "breathe"))
    light.color = .white
    light.effect = .blink
    #expect(
      light.show(after: last).appearance == LEDAppearance(color: .white, brightness: 10, effect: "blink"))
  }

  @Test func `a custom past becomes solid`() {
    var custom = last
    custom.effect = "custom"
    #expect(nothing.show(after: custom).appearance.effect == "solid")
  }

  @Test func `flashing wins over the effect`() {
    let light = LEDLight(color: nil, brightness: nil, effect: .breathe, flashes: 10)
    let show = light.show(after: last)
    #expect(show.appearance.effect == "flash")
    #expect(show.channels[.blue]?.repetitions == 10)
  }
}
