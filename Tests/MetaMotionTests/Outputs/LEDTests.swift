import FleetModel
import Testing

@testable import MetaMotion

struct LEDTests {
  private let pulse = LEDPulse(
    high: 16, low: 8, riseTime: 1, highTime: 500, fallTime: 2, period: 1_000, delay: 300, repetitions: 5)

  @Test func `the worked example of the reference`() {
    let pulse = LEDPulse(
      high: 16, low: 16, riseTime: 0, highTime: 500, fallTime: 0, period: 1_000, repetitions: 5)
    #expect(LED.program(.blue, pulse, revision: 1) == bytes("02030202 1010 0000 f401 0000 e803 0000 05"))
    #expect(LED.play == bytes("020101"))
    #expect(LED.pause == bytes("020100"))
    #expect(LED.autoplay == bytes("020102"))
    #expect(LED.stopAndClear == bytes("020201"))
  }

  @Test func `older firmware knows no delay`() {
    #expect(LED.program(.red, pulse, revision: 0).suffix(3) == bytes("0000 05")[...])
    #expect(LED.program(.red, pulse, revision: 1).suffix(3) == bytes("2c01 05")[...])
  }

  @Test func `T28 for ever is FF, never 0`() {
    var endless = pulse
    endless.repetitions = 0
    #expect(LED.program(.green, endless, revision: 1).last == 0xFF)
  }

  @Test func `intensities are held in their range`() {
    var bright = pulse
    bright.high = 255
    #expect(LED.program(.green, bright, revision: 1)[4] == 31)
  }

  @Test(arguments: LEDChannel.allCases)
  func `what was programmed is read back`(channel: LEDChannel) {
    let command = LED.program(channel, pulse, revision: 1)
    let reply = bytes("0283") + command.dropFirst(2)
    #expect(LED.command(from: reply, of: channel) == command)
    #expect(LED.pulse(from: reply, of: channel) == pulse)
    let other: LEDChannel = channel == .red ? .blue : .red
    #expect(LED.command(from: reply, of: other) == nil)
  }

  @Test(arguments: ["0283", "028300", "02830002", "0283000200000000000000000000000000"])
  func `an empty channel has no pattern`(hex: String) {
    #expect(LED.command(from: bytes(hex), of: .green) == nil)
    #expect(LED.pulse(from: bytes(hex), of: .green) == nil)
  }

  @Test func `patterns of other kinds are kept as they are`() {
    let blink = bytes("0283 00 01 1f 00 3200 f401 0000 0a")
    #expect(LED.command(from: blink, of: .green) == bytes("0203 00 01 1f 00 3200 f401 0000 0a"))
    #expect(LED.pulse(from: blink, of: .green) == nil)
  }

  @Test func `playback is read`() {
    #expect(LED.playback(bytes("028100")) == .paused)
    #expect(LED.playback(bytes("028102")) == .autoplaying)
    #expect(LED.playback(bytes("028109")) == nil)
    #expect(LED.playback(bytes("0281")) == nil)
  }
}
