import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(20)))
struct StreamControlTests {
  static let key = StreamKey(0)
  static let readMask = bytes("0382")

  func wanted(_ rate: Double, _ range: Int64 = 4) -> [StreamKey: StreamRequest] {
    let configuration: JSONObject = ["rate_hz": .number(rate), "range_g": .integer(range)]
    return [Self.key: StreamRequest(name: "acceleration", configuration: configuration)]
  }

  /// A session on which nothing runs, as after the first `apply` of a link.
  func quietSession(_ board: TestBoard = .metaMotionS) async throws -> DriverSession {
    let session = try await DriverSession.interviewed(board)
    async let applied = session.apply([:])
    try await session.link.expect(each: Self.cleaning([:]))
    #expect(try await applied.get().refused.isEmpty)
    return session
  }

  /// What makes room for `streams` on a MetaMotion S of which nothing is known.
  private static func cleaning(
    _ streams: [StreamKey: StreamRequest], proved: Set<SensorRun.Unit> = []
  ) -> [[UInt8]] {
    guard let inventory = try? TestBoard.metaMotionS.inventory() else { return [] }
    let selection = StreamSelection(streams, button: false, on: inventory)
    let plan = StreamPlan(
      from: nil, to: selection.setup, leftOver: selection.leftOver, proved: proved)
    return plan.stop.compactMap { if case .write(let packet) = $0 { packet } else { nil } }
  }

  private func expectCleaning(
    _ session: DriverSession, for streams: [StreamKey: StreamRequest]? = nil
  ) async throws {
    try await session.link.expect(each: Self.cleaning(streams ?? wanted(100)))
    try await session.link.expect(Self.readMask, answer: bytes("038200"))
  }

  func expectSettings(_ session: DriverSession, _ configuration: String = "0303a801") async throws {
    try await session.link.expect(bytes(configuration))
    try await session.link.expect(bytes("0383"), answer: bytes("0383" + configuration.dropFirst(4)))
  }

  func expectStart(_ session: DriverSession, _ configuration: String = "0303a801") async throws {
    try await expectSettings(session, configuration)
    try await session.link.expect(each: ["030501", "03020100", "030101"].map(bytes))
  }

  @Test func `F55 what an earlier session left running is switched off before anything starts`() async throws
  {
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

  @Test func `F55 a stream of another module that nobody asked for is switched off`() async throws {
    let session = try await quietSession()
    #expect(await !session.hasStaleSubscriptions)
    for _ in 0..<3 { await session.link.answer(bytes("1304 3e43 ff7f 0080")) }
    #expect(await session.verdicts == [.unwanted, .unwanted, .unwanted])
    #expect(await session.hasStaleSubscriptions)
    async let ended: Void = session.endStaleSubscriptions()
    try await session.link.expect(bytes("130400"))
    await ended
    #expect(await !session.hasStaleSubscriptions)
    try await session.link.expectNothing()
  }

  @Test func `F55 ticks of a timer that nobody asked for are switched off, and the timer stays`() async throws
  {
    let session = try await quietSession()
    await session.link.answer(bytes("0c0602"))
    #expect(await session.verdicts == [.unwanted])
    #expect(await session.hasStaleSubscriptions)
    async let ended: Void = session.endStaleSubscriptions()
    try await session.link.expect(bytes("0c070200"))
    await ended
    #expect(await !session.hasStaleSubscriptions)
    try await session.link.expectNothing()
  }

  /// What the first order of a link is to log.
  let logged = [
    key: StreamRequest(
      name: "acceleration", configuration: ["rate_hz": 100, "range_g": 4], consumer: .log)
  ]

  @Test
  func `a sensor that is logged and runs just so goes on when a link begins, and tells the host nothing`()
    async throws
  {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let applied = session.apply(logged)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    try await session.link.expect(bytes("0383"), answer: bytes("0383a801"))
    try await session.link.expect(bytes("030401"), answer: bytes("0304 0020 0000 0000"))
    try await session.link.expect(bytes("030400"))
    let ended = Self.cleaning(logged, proved: [.accelerometer])
    #expect(!ended.contains(bytes("030100")) && !ended.contains(bytes("03020001")))
    #expect(ended.contains(bytes("030400")) && ended.contains(bytes("030500")))
    try await session.link.expect(each: ended)
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
    arguments: [["038200"], ["038201", "0383a802"], ["038201", "0383"]])
  func `a sensor that is to be logged, but is off or runs otherwise, is begun anew`(answers: [String])
    async throws
  {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let applied = session.apply(logged)
    for (question, answer) in zip([Self.readMask, bytes("0383")], answers) {
      try await session.link.expect(question, answer: bytes(answer))
    }
    try await expectCleaning(session)
    try await expectSettings(session)
    try await session.link.expect(each: ["03020100", "030101"].map(bytes))
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    try await session.link.expect(bytes("030401"), answer: bytes("0304 0020 0000 0000"))
    try await session.link.expect(bytes("030400"))
    #expect(try await applied.get().active.isEmpty)
    try await session.link.expectNothing()
  }

  @Test func `a detector that is logged alone tells the host nothing`() throws {
    let motion = StreamRequest(name: "any-motion", configuration: [:], consumer: .log)
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

  @Test func `F55 a board that is distrusted is stopped and started anew`() async throws {
    let session = try await quietSession()
    async let started = session.apply(wanted(100))
    try await expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    _ = await started
    await session.invalidateCachedState()
    async let again = session.apply(wanted(100))
    try await expectCleaning(session)
    try await expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    #expect(try await again.get().evidence == .readback)
  }

  @Test func `what samples are thinned out by is known to the streams, and to the next link`() async throws {
    let session = try await quietSession()
    async let thinned = session.perform(.sensor(.downsample(acceleration: 1, gyroscope: 0)))
    try await session.link.expect(bytes("0391"), answer: bytes("039100"))
    try await session.link.expect(bytes("031110"))
    try await session.link.expect(bytes("0391"), answer: bytes("039110"))
    _ = await thinned
    async let applied = session.apply(wanted(100))
    try await expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    #expect(try await applied.get().active.first?.period == .milliseconds(20))
    let memory = await session.programMemory
    #expect(ProgramMemory(memory).downsampling == 0x10)

    let next = try await DriverSession.interviewed(.metaMotionS)
    await next.recall(program: memory)
    async let again = next.apply(wanted(100))
    try await expectCleaning(next)
    try await expectStart(next)
    try await next.link.expect(Self.readMask, answer: bytes("038201"))
    #expect(try await again.get().active.first?.period == .milliseconds(20))
  }

  @Test func `samples flow as soon as they are wanted`() async throws {
    let session = try await quietSession()
    async let applied = session.apply(wanted(100))
    try await expectStart(session)
    await session.link.answer(bytes("0305 0020 0000 0000  0020 0000 0000  0020 0000 0000"))
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    _ = await applied
    #expect(await session.verdicts == [.taken])
    #expect(await session.decoded.readings.values == [1, 0, 0, 1, 0, 0, 1, 0, 0])
  }

  @Test func `the same again writes nothing`() async throws {
    let session = try await quietSession()
    async let applied = session.apply(wanted(100))
    try await expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    let first = try await applied.get()
    #expect(try await session.apply(wanted(100)).get() == first)
    try await session.link.expectNothing()
  }

  @Test func `packets of the old range are not read with the new scale`() async throws {
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

  @Test func `a switch is subscribed without proof`() async throws {
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

  @Test func `polled streams need no writes`() async throws {
    let session = try await quietSession()
    let request = StreamRequest(name: "battery", configuration: ["every": "15m"])
    let result = try await session.apply([Self.key: request]).get()
    #expect(result.active.first?.isPolled == true)
    #expect(result.active.first?.period == .seconds(900))
    try await session.link.expectNothing()
  }

  @Test func `firmware that does not tell its mask is believed`() async throws {
    let session = try await quietSession()
    async let applied = session.apply(wanted(100))
    try await expectStart(session)
    for _ in 0..<2 {
      try await session.link.expect(Self.readMask)
      await session.advance(by: .seconds(1))
    }
    let result = try await applied.get()
    #expect(result.evidence == .linkWrite)
    #expect(result.active.map(\.key) == [Self.key])
  }

  @Test func `an answer owed to the stop is not taken for the starts`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let applied = session.apply(wanted(100))
    try await session.link.expect(each: Self.cleaning(wanted(100)))
    try await session.link.expect(Self.readMask)
    await session.advance(by: .seconds(5))
    try await expectStart(session)
    await session.link.answer(bytes("038200"))
    let result = try await applied.get()
    #expect(result.evidence == .linkWrite)
    #expect(result.refused.isEmpty)
    try await session.link.expectNothing()
  }

  @Test func `a sensor that does not start is refused`() async throws {
    let session = try await quietSession()
    async let applied = session.apply(wanted(100))
    try await expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038200"))
    // A write may get lost.
    try await session.link.expect(each: ["03020100", "030101"].map(bytes))
    try await session.link.expect(Self.readMask, answer: bytes("038200"))
    let result = try await applied.get()
    #expect(result.refused[Self.key]?.code == .boardError)
    #expect(result.refused[Self.key]?.message.contains("register 0302") == true)
    #expect(result.active.isEmpty)
    // Nobody knows what it does now: the next attempt starts from nothing.
    async let again = session.apply(wanted(100))
    try await expectCleaning(session)
    try await expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    #expect(try await again.get().refused.isEmpty)
  }

  @Test func `a sensor that does not stop is an error`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let applied = session.apply(wanted(100))
    try await session.link.expect(each: Self.cleaning(wanted(100)))
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    guard case .unexpected = await applied.failure else {
      Issue.record("no failure")
      return
    }
  }

  // What the board holds.

  private func start(
    _ session: DriverSession, holding answers: [String]
  ) async throws -> StreamsApplied {
    async let applied = session.apply(wanted(100))
    for answer in answers {
      try await session.link.expect(bytes("0303a801"))
      try await session.link.expect(bytes("0383"), answer: bytes(answer))
    }
    try await session.link.expect(each: ["030501", "03020100", "030101"].map(bytes))
    await session.link.answer(bytes("0305 0020 0000 0000  0020 0000 0000  0020 0000 0000"))
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    return try await applied.get()
  }

  @Test func `F104 a setting that was lost is written once more, before any sample is read`() async throws {
    let session = try await quietSession()
    let result = try await start(session, holding: ["0383a803", "0383a801"])
    #expect(result.refused.isEmpty && result.evidence == .readback)
    #expect(result.active.first?.request.configuration["range_g"] == 4)
    #expect(await session.decoded.readings.values.first == 1)
  }

  @Test func `F104 samples are read by what the board holds, and that is told`() async throws {
    let session = try await quietSession()
    let result = try await start(session, holding: ["0383a702", "0383a702"])
    let failure = try #require(result.refused[Self.key])
    #expect(failure.code == .boardError)
    #expect(failure.message.contains("holds a702") && failure.message.contains("a801 was written twice"))
    #expect(result.active.first?.request.configuration["range_g"] == 8)
    #expect(result.active.first?.period == .milliseconds(20))
    #expect(await session.decoded.readings.values.first == 2)
    // The next order writes it again instead of believing it.
    async let again = session.apply(wanted(100))
    try await expectCleaning(session)
    try await expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    #expect(try await again.get().refused.isEmpty)
  }

  @Test func `F104 a sensor that holds what nobody understands is not started`() async throws {
    let session = try await quietSession()
    async let applied = session.apply(wanted(100))
    for _ in 0..<2 {
      try await session.link.expect(bytes("0303a801"))
      try await session.link.expect(bytes("0383"), answer: bytes("0383ff7f"))
    }
    let result = try await applied.get()
    #expect(result.active.isEmpty && result.refused[Self.key]?.code == .boardError)
    try await session.link.expectNothing()
  }

  @Test
  func
    `F104 a logged sensor that holds another setting is not started: its log would be read by the wanted one`()
    async throws
  {
    let session = try await quietSession()
    async let applied = session.apply(logged)
    for _ in 0..<2 {
      try await session.link.expect(bytes("0303a801"))
      try await session.link.expect(bytes("0383"), answer: bytes("0383a802"))
    }
    #expect(try await applied.get().refused[Self.key]?.code == .boardError)
    try await session.link.expectNothing()
  }

  @Test
  func
    `F104 a board that does not tell its settings is believed, and the evidence says so; it is asked once a link`()
    async throws
  {
    let session = try await quietSession()
    async let applied = session.apply(wanted(100))
    try await session.link.expect(bytes("0303a801"))
    for _ in 0..<2 {
      try await session.link.expect(bytes("0383"))
      await session.advance(by: .seconds(1))
    }
    try await session.link.expect(each: ["030501", "03020100", "030101"].map(bytes))
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    let result = try await applied.get()
    #expect(result.refused.isEmpty && result.evidence == .linkWrite)
    #expect(result.active.first?.doubts == [.configUnverified])
    #expect(try await session.apply(wanted(100)).get().active.first?.doubts == [.configUnverified])
    async let changed = session.apply(wanted(50))
    try await session.link.expect(each: ["030100", "03020001", "030500"].map(bytes))
    try await session.link.expect(Self.readMask, answer: bytes("038200"))
    try await session.link.expect(each: ["0303a701", "030501", "03020100", "030101"].map(bytes))
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    #expect(try await changed.get().evidence == .linkWrite)
  }

  // Who else uses the board.

  @Test func `F105 nothing is stopped on an unknown board from which nothing is wanted`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let applied = session.apply([:])
    let written = Self.cleaning([:])
    let stops = try StreamSources(on: TestBoard.metaMotionS.inventory()).leftOver.flatMap(\.stop)
    #expect(!written.isEmpty && Set(written).isDisjoint(with: stops))
    try await session.link.expect(each: written)
    _ = try await applied.get()
    try await session.link.expectNothing()
  }

  @Test func `F105 what runs for others and has to give way is found before anything is written`()
    async throws
  {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let found = session.conflicts(wanted(100))
    try await session.link.expect(bytes("0382"), answer: bytes("038201"))
    try await session.link.expect(bytes("1981"), answer: bytes("198100"))
    #expect(await found == ["accelerometer"])
    try await session.link.expectNothing()
  }

  @Test
  func `F105 what earlier links of ours began is stopped when it is no longer wanted, without questions`()
    async throws
  {
    let session = try await DriverSession.interviewed(.metaMotionS)
    await session.recall(Array(wanted(100).values))
    #expect(await session.conflicts(wanted(50)) == [])
    async let applied = session.apply([:])
    try await session.link.expect(each: ["030100", "03020001", "030400", "030500"].map(bytes))
    await session.link.end(because: LinkFailure(.linkLost, "enough was seen"))
    _ = await applied
  }

  @Test func `F07 a link that ends in between ends the attempt`() async throws {
    let session = try await quietSession()
    let lost = LinkFailure(.linkLost, "out of range")
    async let applied = session.apply(wanted(100))
    try await session.link.expect(bytes("0303a801"))
    await session.link.end(because: lost)
    #expect(await applied.failure == .linkEnded(lost))
  }

  @Test func `nothing is applied before the interview`() async throws {
    let session = await DriverSession(.metaMotionS)
    #expect(await session.apply([:]).failure != nil)
    try await session.link.expectNothing()
  }
}
