import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(10)))
struct StreamControlTests {
  private static let key = StreamKey(0)
  private static let readMask = bytes("0382")

  private func wanted(_ rate: Double, _ range: Int64 = 4) -> [StreamKey: StreamRequest] {
    let configuration: JSONObject = ["rate_hz": .number(rate), "range_g": .integer(range)]
    return [Self.key: StreamRequest(name: "acceleration", configuration: configuration)]
  }

  /// A session on which nothing runs, as after the first `apply` of a link.
  private func quietSession(_ board: TestBoard = .metaMotionS) async throws -> DriverSession {
    let session = try await DriverSession.interviewed(board)
    async let applied = session.apply([:])
    try await expectCleaning(session)
    #expect(try await applied.get().evidence == .readback)
    return session
  }

  /// What ends all that an earlier session may have begun on a MetaMotion S.
  private static let cleaning: [[UInt8]] = {
    guard let inventory = try? TestBoard.metaMotionS.inventory() else { return [] }
    let leftOver = StreamSources(on: inventory).leftOver
    return StreamPlan(from: nil, to: BoardSetup(), leftOver: leftOver).stop.compactMap {
      if case .write(let packet) = $0 { packet } else { nil }
    }
  }()

  private func expectCleaning(_ session: DriverSession) async throws {
    try await session.link.expect(each: Self.cleaning)
    try await session.link.expect(Self.readMask, answer: bytes("038200"))
  }

  private func expectStart(_ session: DriverSession, _ configuration: String = "0303a801") async throws {
    try await session.link.expect(each: [configuration, "030501", "03020100", "030101"].map(bytes))
  }

  @Test("F55 what an earlier session left running is switched off before anything starts")
  func firstApply() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let applied = session.apply(wanted(100))
    try await expectCleaning(session)
    try await expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    let result = try await applied.get()
    #expect(result.evidence == .readback)
    #expect(result.refused.isEmpty)
    #expect(result.active.map(\.key) == [Self.key])
    #expect(result.active.first?.request.configuration["packed"] == "on")
    try await session.link.expectNothing()
  }

  @Test("F55 a stream of another module that nobody asked for is switched off")
  func leftOverGyroscope() async throws {
    let session = try await quietSession()
    #expect(await !session.hasLeftOvers)
    for _ in 0..<3 { await session.link.answer(bytes("1304 3e43 ff7f 0080")) }
    #expect(await session.verdicts == [.unwanted, .unwanted, .unwanted])
    #expect(await session.hasLeftOvers)
    async let ended: Void = session.endLeftOvers()
    try await session.link.expect(bytes("130400"))
    await ended
    #expect(await !session.hasLeftOvers)
    try await session.link.expectNothing()
  }

  /// What the first order of a link is to log.
  private let logged = [
    key: StreamRequest(
      name: "acceleration", configuration: ["rate_hz": 100, "range_g": 4], feeding: .log)
  ]

  @Test("a sensor that is logged and runs just so goes on when a link begins, and tells the host nothing")
  func loggedSensor() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let applied = session.apply(logged)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    try await session.link.expect(bytes("0383"), answer: bytes("0383a801"))
    let spared = [bytes("030100"), bytes("03020001")]
    let rest = Self.cleaning.filter {
      !spared.contains($0) && ![bytes("030400"), bytes("030500")].contains($0)
    }
    try await session.link.expect(each: rest + [bytes("030400"), bytes("030500")])
    let result = try await applied.get()
    #expect(result.active.isEmpty && result.refused.isEmpty)
    try await session.link.expectNothing()
    // Asked for by the host as well, it is heard without being started anew.
    var both = logged
    both[StreamKey(1)] = wanted(100).values.first
    async let heard = session.apply(both)
    try await session.link.expect(bytes("030501"))
    #expect(try await heard.get().active.count == 1)
    try await session.link.expectNothing()
  }

  @Test(
    "a sensor that is to be logged, but is off or runs otherwise, is begun anew",
    arguments: [["038200"], ["038201", "0383a802"], ["038201", "0383"]])
  func otherSensor(answers: [String]) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let applied = session.apply(logged)
    for (question, answer) in zip([Self.readMask, bytes("0383")], answers) {
      try await session.link.expect(question, answer: bytes(answer))
    }
    try await expectCleaning(session)
    try await session.link.expect(each: ["0303a801", "03020100", "030101"].map(bytes))
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    #expect(try await applied.get().active.isEmpty)
    try await session.link.expectNothing()
  }

  @Test("a detector that is logged alone tells the host nothing")
  func loggedDetector() throws {
    let motion = StreamRequest(name: "any-motion", configuration: [:], feeding: .log)
    let board = try TestBoard.metaMotionR.inventory()
    let alone = StreamSelection([StreamKey(0): motion], button: false, on: board)
    #expect(!alone.setup.registers.contains(BMI160Detectors.motion.data))
    #expect(alone.setup.runs.keys.contains(.detector(register: 0x09, bits: 0)))
    let both = StreamSelection(
      [StreamKey(0): motion, StreamKey(1): StreamRequest(name: "no-motion", configuration: [:])],
      button: false, on: board)
    #expect(both.setup.registers.contains(BMI160Detectors.motion.data))
    var decoded = DecodedPackets()
    let anyMotion = PacketDecoder(routes: both.routes).decode(
      bytes("030b02").span.bytes, at: Timestamp(nanoseconds: 0), into: &decoded)
    #expect(anyMotion == .unwanted && decoded.events.isEmpty)
  }

  @Test("F55 a board that is distrusted is stopped and started anew")
  func distrusted() async throws {
    let session = try await quietSession()
    async let started = session.apply(wanted(100))
    try await expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    _ = await started
    await session.distrust()
    async let again = session.apply(wanted(100))
    try await expectCleaning(session)
    try await expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    #expect(try await again.get().evidence == .readback)
  }

  @Test func samplesFlowAsSoonAsTheyAreWanted() async throws {
    let session = try await quietSession()
    async let applied = session.apply(wanted(100))
    try await expectStart(session)
    await session.link.answer(bytes("0305 0020 0000 0000  0020 0000 0000  0020 0000 0000"))
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    _ = await applied
    #expect(await session.verdicts == [.taken])
    #expect(await session.decoded.readings.values == [1, 0, 0, 1, 0, 0, 1, 0, 0])
  }

  @Test func theSameAgainWritesNothing() async throws {
    let session = try await quietSession()
    async let applied = session.apply(wanted(100))
    try await expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    let first = try await applied.get()
    #expect(try await session.apply(wanted(100)).get() == first)
    try await session.link.expectNothing()
  }

  @Test("packets of the old range are not read with the new scale")
  func reconfiguration() async throws {
    let session = try await quietSession()
    async let started = session.apply(wanted(100, 4))
    try await expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    _ = await started
    let packet = bytes("0305 0020 0000 0000  0020 0000 0000  0020 0000 0000")
    async let changed = session.apply(wanted(100, 8))
    try await session.link.expect(each: ["030100", "03020001", "030500"].map(bytes))
    try await session.link.expect(Self.readMask)
    await session.link.answer(packet)
    await session.link.answer(bytes("038200"))
    try await expectStart(session, "0303a802")
    await session.link.answer(packet)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    #expect(try await changed.get().evidence == .readback)
    #expect(await session.decoded.readings.values[0] == 1)
    #expect(await session.decoded.readings.values[9] == 2)
  }

  @Test func aSwitchIsSubscribedWithoutProof() async throws {
    let session = try await quietSession()
    async let applied = session.apply([:], button: true)
    try await session.link.expect(bytes("010101"))
    #expect(try await applied.get().evidence == .linkWrite)
    await session.link.answer(bytes("010101"))
    #expect(await session.decoded.events.map(\.event) == [.button(isPressed: true)])
    async let stopped = session.apply([:])
    try await session.link.expect(bytes("010100"))
    #expect(try await stopped.get().active.isEmpty)
    await session.link.answer(bytes("010100"))
    #expect(await session.verdicts == [.taken, .unwanted])
  }

  @Test func polledStreamsNeedNoWrites() async throws {
    let session = try await quietSession()
    let request = StreamRequest(name: "battery", configuration: ["every": "15m"])
    let result = try await session.apply([Self.key: request]).get()
    #expect(result.active.first?.isPolled == true)
    #expect(result.active.first?.period == .seconds(900))
    try await session.link.expectNothing()
  }

  @Test func firmwareThatDoesNotTellItsMaskIsBelieved() async throws {
    let session = try await quietSession()
    async let applied = session.apply(wanted(100))
    try await expectStart(session)
    try await session.link.expect(Self.readMask)
    await session.advance(by: .seconds(5))
    let result = try await applied.get()
    #expect(result.evidence == .linkWrite)
    #expect(result.active.map(\.key) == [Self.key])
  }

  @Test func anAnswerOwedToTheStopIsNotTakenForTheStarts() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let applied = session.apply(wanted(100))
    try await session.link.expect(each: Self.cleaning)
    try await session.link.expect(Self.readMask)
    await session.advance(by: .seconds(5))
    try await expectStart(session)
    await session.link.answer(bytes("038200"))
    let result = try await applied.get()
    #expect(result.evidence == .linkWrite)
    #expect(result.refused.isEmpty)
    try await session.link.expectNothing()
  }

  @Test func aSensorThatDoesNotStartIsRefused() async throws {
    let session = try await quietSession()
    async let applied = session.apply(wanted(100))
    try await expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038200"))
    let result = try await applied.get()
    #expect(result.refused[Self.key]?.code == .boardError)
    #expect(result.active.isEmpty)
    // Nobody knows what it does now: the next attempt starts from nothing.
    async let again = session.apply(wanted(100))
    try await expectCleaning(session)
    try await expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    #expect(try await again.get().refused.isEmpty)
  }

  @Test func aSensorThatDoesNotStopIsAnError() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let applied = session.apply([:])
    try await session.link.expect(each: Self.cleaning)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    guard case .unexpected = await applied.failure else {
      Issue.record("no failure")
      return
    }
  }

  @Test("F07 a link that ends in between ends the attempt")
  func lostLink() async throws {
    let session = try await quietSession()
    let lost = LinkFailure(.linkLost, "out of range")
    async let applied = session.apply(wanted(100))
    try await session.link.expect(bytes("0303a801"))
    await session.link.end(because: lost)
    #expect(await applied.failure == .linkEnded(lost))
  }

  @Test func nothingIsAppliedBeforeTheInterview() async throws {
    let session = await DriverSession(.metaMotionS)
    #expect(await session.apply([:]).failure != nil)
    try await session.link.expectNothing()
  }
}
