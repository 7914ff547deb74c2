import FleetModel
import Testing

@testable import metafleet

@Suite struct ProfileStreamsTests {
  private func stream(_ text: String) -> String { "profiles: { p: { stream: { \(text) } } }" }

  @Test func `defaults are filled in, also where nothing is written`() {
    for text in ["acceleration: {}", "acceleration:", "acceleration: ~"] {
      let request = read(stream(text)).configuration.profiles["p"]?.streams["acceleration"]
      #expect(request?.configuration["rate_hz"] == 50)
      #expect(request?.configuration["record"] == true)
    }
  }

  @Test(
    arguments: [
      (
        "acceleration: { rate_hz: 60 }",
        "rate_hz 60 is not offered by acceleration; offered 0.78125, 1.5625, 3.125, 6.25, 12.5, 25, 50, 100, 200, 400, 800, 1600; write 50, or set nearest: true"
      ),
      ("acceleration: { rate_hz: fast }", "rate_hz of acceleration must be a number, not \"fast\""),
      (
        "acceleration: { speed: 50 }",
        "acceleration has no key \"speed\"; it takes rate_hz, range_g, packed, live_rate_hz, record"
      ),
      ("acceleration: { range: 4 }", "acceleration has no key \"range\"; did you mean range_g?"),
      ("acceleration: { packed: yes }", "packed of acceleration must be auto, on, off, not \"yes\""),
      (
        "temperature-die: { every: 50ms }",
        "every of temperature-die must be an interval of at least 100ms, such as 60s, daily HH:MM, weekly <mon…sun> HH:MM, never, or a list of them, not \"50ms\"; intervals are from 100ms to 366d"
      ),
      (
        "temperature-die: { every: 60 }",
        "every of temperature-die must be an interval of at least 100ms, such as 60s, daily HH:MM, weekly <mon…sun> HH:MM, never, or a list of them, not \"60\"; it has no unit: write 60s for seconds"
      ),
      ("accelaration: {}", "there is no stream \"accelaration\"; did you mean acceleration?"),
      ("temperature-external: {}", "temperature-external needs data_pin: a whole number from 0 to 255"),
    ])
  func `what the catalogue does not allow is an error`(_ text: String, _ expected: String) {
    let problems = read(stream(text)).problems
    #expect(problems.map(\.text) == [expected])
    #expect(problems.hasErrors)
  }

  @Test func `every wrong key is named with its own place`() {
    let found = problems(
      "profiles:\n  p:\n    stream:\n      acceleration:\n        rate_hz: 1\n        range_g: 3\n")
    #expect(found.map { $0.prefix(4) } == ["5:18", "6:18"])
  }

  @Test func `nearest takes the nearest offered value`() {
    let result = read(stream("acceleration: { rate_hz: 60, nearest: true }"))
    #expect(result.problems == [])
    #expect(result.configuration.profiles["p"]?.streams["acceleration"]?.configuration["rate_hz"] == 50)
  }

  @Test func `a component is a stream of its own`() {
    let result = read(stream("acceleration-y: { rate_hz: 0.78 }"))
    #expect(result.problems == [])
    let request = result.configuration.profiles["p"]?.streams["acceleration-y"]
    #expect(request?.configuration["rate_hz"] == .number(0.78125))
  }

  @Test func `registers on the buses are streams, logs and sources of chains`() {
    let lamp = "device: 28, register: 13, length: 1, every: 1s"
    let result = read(
      "profiles: { p: { process: { calm: { from: i2c-lamp, \(lamp), chain: [{ average: 4 }] } }, "
        + "stream: { i2c-lamp: { \(lamp) } }, log: { i2c-lamp: { \(lamp) }, "
        + "spi-lamp: { pins: { ss: 10, sck: 0, mosi: 11, miso: 7 }, length: 4, hex: da } } } }")
    #expect(result.problems == [])
    let profile = result.configuration.profiles["p"]
    #expect(profile?.logs["spi-lamp"]?.configuration["clock_hz"] == 1_000_000)
    #expect(profile?.streams["i2c-lamp"]?.configuration["big_endian"] == true)
    #expect(read(stream("i2c-lamp: {}")).problems.first?.text.contains("device") == true)
    #expect(read(stream("i2c-1: {}")).problems.hasErrors)
  }

  @Test func `chains of the profile are streams with the keys of the lanes`() {
    func profile(_ keys: String) -> String {
      "profiles: { p: { process: { calm: { from: acceleration, chain: [rms] } }, stream: { calm: \(keys) } } }"
    }
    let result = read(profile("{ live_rate_hz: 2 }"))
    #expect(result.problems == [])
    #expect(
      result.configuration.profiles["p"]?.streams["calm"]
        == StreamRequest(name: "calm", configuration: ["live_rate_hz": 2, "record": true]))
    #expect(read(profile("{ rate_hz: 50 }")).problems.first?.path == "profiles.p.stream.calm.rate_hz")
  }

  @Test(arguments: ["quaternion", "euler-heading", "any-motion", "gpio-3-adc", "pressure"])
  func `streams of every module are known`(_ name: String) {
    #expect(read(stream("\(name): {}")).problems == [])
  }
}
