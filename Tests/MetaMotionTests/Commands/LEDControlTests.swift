import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(20)))
struct LEDControlTests {
  private static let green = bytes("0203 00 02 1f 00 0000 3200 0000 f401 0000 05")
  private static let red = bytes("0203 01 02 10 00 0000 3200 0000 f401 0000 ff")

  private var show: LEDCommand {
    var blink = LEDPattern.blink.pulse
    blink.repetitions = 5
    var dim = LEDPattern.blink.pulse
    dim.high = 16
    let appearance = LEDAppearance(color: .white, brightness: 255, effect: "custom")
    return .show(LEDShow(channels: [.green: blink, .red: dim], appearance: appearance))
  }

  private func reply(_ command: [UInt8]) -> [UInt8] { bytes("0283") + command.dropFirst(2) }

  @Test func `a show is stopped cleared programmed played and read back`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.led(show))
    try await session.link.expect(each: [bytes("020201"), Self.green, Self.red, bytes("020101")])
    try await session.link.expect(bytes("028300"), answer: reply(Self.green))
    try await session.link.expect(bytes("028301"), answer: reply(Self.red))
    #expect(await outcome == .done(evidence: .readback, data: ["playing": true]))
    try await session.link.expectNothing()
  }

  @Test func `firmware that does not tell is believed`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.led(show))
    try await session.link.expect(each: [bytes("020201"), Self.green, Self.red, bytes("020101")])
    try await session.link.expect(bytes("028300"))
    await session.advance(by: .seconds(1))
    #expect(await outcome == .done(evidence: .linkWrite, data: ["playing": true]))
    try await session.link.expectNothing()
  }

  @Test func `another pattern than written is an error`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.led(show))
    try await session.link.expect(each: [bytes("020201"), Self.green, Self.red, bytes("020101")])
    var other = reply(Self.green)
    other[4] = 1
    try await session.link.expect(bytes("028300"), answer: other)
    guard case .failed(let failure) = await outcome else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .boardError)
    #expect(failure.message.contains("green"))
  }

  @Test(
    arguments: ["028300", "0283000000", "0283000200000000000000000000000000"])
  func `what a cleared channel answers is not known for certain`(answer: String) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.led(.off))
    try await session.link.expect(bytes("020201"))
    try await session.link.expect(bytes("028300"), answer: bytes(answer))
    try await session.link.expect(bytes("028301"), answer: bytes("028301"))
    try await session.link.expect(bytes("028302"), answer: bytes("028302"))
    #expect(await outcome == .done(evidence: .readback, data: ["playing": false]))
  }

  @Test(
    arguments: ["020100", "020101", "020102", ""])
  func `F123 an LED that keeps its pattern is stopped once more; only one that plays on has failed`(
    playback: String
  ) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.led(.off))
    try await session.link.expect(bytes("020201"))
    try await session.link.expect(bytes("028300"), answer: bytes("0283"))
    try await session.link.expect(bytes("028301"), answer: reply(Self.red))
    try await session.link.expect(bytes("020201"))
    try await session.link.expect(bytes("028301"), answer: reply(Self.red))
    if playback.isEmpty {
      try await session.link.expect(bytes("0281"))
      await session.advance(by: .seconds(1))
    } else {
      try await session.link.expect(bytes("0281"), answer: [0x02, 0x81, bytes(playback)[2]])
    }
    if ["020101", "020102"].contains(playback) {
      guard case .failed(let failure) = await outcome else {
        Issue.record("not failed")
        return
      }
      #expect(failure.code == .boardError && failure.message.contains("red"))
    } else {
      #expect(await outcome == .done(evidence: .linkWrite, data: ["playing": false]))
    }
    try await session.link.expectNothing()
  }

  @Test func `F123 a stop that was lost is written again, and then proved`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.led(.off))
    try await session.link.expect(bytes("020201"))
    try await session.link.expect(bytes("028300"), answer: reply(Self.green))
    try await session.link.expect(bytes("020201"))
    try await session.link.expect(bytes("028300"), answer: bytes("0283"))
    try await session.link.expect(bytes("028301"), answer: bytes("0283"))
    try await session.link.expect(bytes("028302"), answer: bytes("0283ff"))
    #expect(await outcome == .done(evidence: .readback, data: ["playing": false]))
  }

  @Test func `F123 a lost stop is noticed on a board that is silent about channels without a pattern`()
    async throws
  {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.led(.off))
    try await session.link.expect(bytes("020201"))
    try await session.link.expect(bytes("028300"))
    await session.advance(by: .seconds(1))
    try await session.link.expect(bytes("028301"), answer: reply(Self.red))
    try await session.link.expect(bytes("020201"))
    for question in ["028301", "028302"] {
      try await session.link.expect(bytes(question))
      await session.advance(by: .seconds(1))
    }
    guard case .done(let evidence, _) = await outcome else {
      Issue.record("not done")
      return
    }
    #expect(evidence == .linkWrite)
  }

  @Test func `F123 a pause that does nothing is no pause`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.led(.pause))
    for _ in 0..<2 {
      try await session.link.expect(bytes("020100"))
      try await session.link.expect(bytes("0281"), answer: bytes("028101"))
    }
    guard case .failed(let failure) = await outcome else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .boardError)
  }

  @Test(arguments: 0..<8)
  func `F123 read what=led tells of any number of channels, however the others answer`(programmed: Int)
    async throws
  {
    for empty in ["0283", "0283ff", ""] {
      let session = try await DriverSession.interviewed(.metaMotionS)
      async let outcome = session.perform(read: "led")
      for channel in 0..<3 {
        var pattern = reply(Self.green)
        pattern[2] = UInt8(channel)
        let question = bytes("02830\(channel)")
        if programmed >> channel & 1 == 1 {
          try await session.link.expect(question, answer: pattern)
        } else if !empty.isEmpty {
          try await session.link.expect(question, answer: bytes(empty))
        } else {
          for _ in 0..<2 {
            try await session.link.expect(question)
            await session.advance(by: .seconds(1))
          }
        }
      }
      try await session.link.expect(bytes("0281"), answer: bytes("028101"))
      guard case .done(_, let data) = await outcome else {
        Issue.record("not done")
        return
      }
      #expect(data["channels"]?.object?.members.count == programmed.nonzeroBitCount)
      #expect(data["playing"] == .bool(programmed != 0))
    }
  }

  @Test(
    arguments: [
      (LEDCommand.pause, "020100", "028100", false), (.play, "020101", "028101", true),
      (.autoplay, "020102", "028102", true),
    ])
  func `playback`(command: LEDCommand, write: String, answer: String, isPlaying: Bool) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.led(command))
    try await session.link.expect(bytes(write))
    try await session.link.expect(bytes("0281"), answer: bytes(answer))
    #expect(await outcome == .done(evidence: .readback, data: ["playing": .bool(isPlaying)]))
  }

  @Test func `an unresolved light is our fault`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    let light = LEDLight(color: nil, brightness: nil, effect: nil, flashes: nil)
    guard case .failed(let failure) = await session.perform(.led(.light(light))) else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .internal)
    try await session.link.expectNothing()
  }

  @Test func `F28 a link that ends after the first write leaves the outcome unknown`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.led(show))
    try await session.link.expect(bytes("020201"))
    await session.link.end(because: LinkFailure(.linkLost, "out of range"))
    guard case .unknown(let message) = await outcome else {
      Issue.record("not unknown")
      return
    }
    #expect(message.contains("out of range"))
  }
}
