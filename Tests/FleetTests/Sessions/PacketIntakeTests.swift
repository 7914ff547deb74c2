import BoardKit
import FleetModel
import Support
import Testing

@testable import Fleet

@Suite struct PacketIntakeTests {
  /// An intake of a toy board whose stream has key 0.
  private struct Rig {
    let clock = ManualClock()
    let counters = Counters()
    let driver: ToyDriver
    let conversation: Conversation
    let shared = SharedIntake()
    let intake: PacketIntake

    init() {
      let link = ScriptedLink(notifications: ToyFamily.notification, timekeeper: clock)
      conversation = Conversation(link: link, timekeeper: clock)
      driver = ToyDriver(conversation)
      intake = PacketIntake(
        board: .number(1), conversation: conversation, driver: driver, counters: counters, timekeeper: clock,
        shared: shared)
    }

    func receive(_ packet: UInt8, at milliseconds: Int64 = 0) -> PacketIntake.Concern {
      let bytes = [packet]
      return intake.receive(bytes.span.bytes, from: ToyFamily.notification, at: .at(milliseconds))
    }

    /// Opens the stream as after an interview.
    func open() async throws {
      let request = StreamRequest(name: "acceleration", configuration: ["record": true])
      for stream in try await driver.apply([StreamKey(0): request], button: false).active {
        intake.open(stream, boot: 1, session: .seeded(1), limits: LaneLimits())
      }
    }

    /// What is reported by now.
    func reports() async -> [SessionReport] {
      var reports: [SessionReport] = []
      await intake.sendReports { reports.append($0) }
      return reports
    }

    /// All there is when a stream ends.
    func everything() -> [FleetEvent] {
      intake.flush()
      return shared.takeFinished(at: clock.uptime)
    }

    /// Numbers of samples in the batches that are finished.
    func finished() -> [Int] { counts(in: shared.takeFinished(at: clock.uptime)) }

    func counts(in events: [FleetEvent]) -> [Int] {
      events.compactMap {
        if case .batch(let batch) = $0 { batch.count } else { nil }
      }
    }
  }

  @Test func `F107 what is noted later is reported later, also where another task sends meanwhile`() async {
    let rig = Rig()
    var sent: [String] = []
    func note(_ stream: String) { rig.intake.note(.silence(stream: stream, isSilent: true)) }
    func take(_ report: SessionReport) { if case .silence(let stream, _) = report { sent.append(stream) } }
    note("first")
    note("second")
    await rig.intake.sendReports { report in
      take(report)
      guard sent == ["first"] else { return }
      note("third")
      await rig.intake.sendReports { take($0) }
    }
    #expect(sent == ["first", "second", "third"])
  }

  @Test func `samples are counted, collected and handed over once`() async throws {
    let rig = Rig()
    try await rig.open()
    for number in 0..<5 {
      #expect(rig.receive(0x20, at: Int64(number) * 20) == (number == 0 ? .proved : .none))
    }
    #expect(rig.counters.value(of: .samplesIn) == 5)
    #expect(rig.intake.lastPacket == .at(80))
    #expect(rig.finished() == [])
    #expect(rig.counts(in: rig.everything()) == [5])
    #expect(rig.counts(in: rig.everything()) == [])
  }

  @Test func `what nobody asked for is counted and told`() {
    let rig = Rig()
    #expect(rig.receive(0x30) == .staleSubscriptions)
    #expect(rig.counters.value(of: .packetsUnwanted) == 1)
    #expect(rig.counters.value(of: .samplesIn) == 0)
  }

  @Test func `F56 the twentieth unreadable packet is too much`() {
    let rig = Rig()
    let concerns = (0..<20).map { _ in rig.receive(0xFF) }
    #expect(concerns == Array(repeating: .none, count: 19) + [.unreadable])
    #expect(rig.counters.value(of: .packetsMalformed) == 20)
  }

  @Test func `a stream that ends hands over what it has`() async throws {
    let rig = Rig()
    try await rig.open()
    _ = rig.receive(0x20)
    rig.intake.retire(StreamKey(0))
    #expect(rig.finished() == [1])
    _ = rig.receive(0x20)
    #expect(rig.counts(in: rig.everything()) == [])
  }

  @Test func `a stream that is started anew keeps the pace of its live samples`() async throws {
    let rig = Rig()
    for start in [Int64(0), 30, 60] {
      try await rig.open()
      _ = rig.receive(0x20, at: start)
      rig.intake.retire(StreamKey(0))
    }
    let live = rig.everything().compactMap {
      if case .live(let sample) = $0 { sample.time } else { nil }
    }
    #expect(live == [.at(0)])
  }

  @Test func `the first sample after a cut tells of the gap`() async throws {
    let rig = Rig()
    rig.intake.ends.cutOff["acceleration"] = StreamInterruption(session: .seeded(2), lastSample: .at(-500))
    try await rig.open()
    _ = rig.receive(0x20)
    _ = rig.receive(0x20, at: 20)
    let resumed = await rig.reports().filter { if case .resumed = $0 { true } else { false } }
    #expect(resumed.count == 1)
    let events = rig.everything()
    #expect(events.contains { if case .batch(let batch) = $0 { batch.gapBefore == 24 } else { false } })
    #expect(rig.counters.value(of: .samplesLost) == 24)
  }

  @Test func `F147 packets that come twice are counted`() async throws {
    let rig = Rig()
    try await rig.open()
    for number in Int64(0)..<100 { _ = rig.receive(0x20, at: number * 20) }
    for late in [Int64(1), 2] { _ = rig.receive(0x20, at: 99 * 20 + late) }
    #expect(rig.counters.value(of: .packetsDoubled) == 2)
    #expect(rig.counters.value(of: .samplesIn) == 102 && rig.counters.value(of: .samplesLost) == 0)
  }

  @Test(arguments: [true, false])
  func `whoever waits for a sample hears when it comes, or when its time is over`(comes: Bool) async throws {
    let rig = Rig()
    try await rig.open()
    let heard = await withCheckedContinuation { continuation in
      rig.intake.awaitSample(of: StreamKey(0), until: .seconds(1), continuation)
      rig.intake.expireWaits(at: .milliseconds(999))
      if comes { _ = rig.receive(0x20) }
      rig.intake.expireWaits(at: .seconds(1))
    }
    #expect(heard == comes)
  }

  @Test
  func `F129 polled values that cannot be are counted, told once a spell, and declared as a gap at its end`()
    async throws
  {
    let rig = Rig()
    let active = ActiveStream(
      key: StreamKey(0), request: StreamRequest(name: "battery", configuration: ["record": true]),
      period: .seconds(1), isPolled: true)
    rig.intake.open(active, boot: 1, session: .seeded(1), limits: LaneLimits())
    #expect(rig.intake.takePolled(StreamKey(0), at: .at(0), [80, 4_000]))
    for second in Int64(1)...3 {
      rig.clock.advance(by: .seconds(1))
      #expect(!rig.intake.takePolled(StreamKey(0), at: .at(second * 1_000), [255, 4_000]))
    }
    #expect(rig.counters.value(of: .samplesImpossible) == 3)
    #expect(told(await rig.reports()) == ["battery_pct", "lost 1", "lost 1", "lost 1"].sorted())
    rig.clock.advance(by: .seconds(9))
    #expect(rig.intake.takePolled(StreamKey(0), at: .at(12_000), [80, 4_000]))
    #expect(told(await rig.reports()) == [])
    rig.clock.advance(by: .seconds(1))
    #expect(rig.intake.takePolled(StreamKey(0), at: .at(13_000), [80, 4_000]))
    #expect(told(await rig.reports()) == ["hole 3", "possible 3"])
    let gaps = rig.everything().compactMap { if case .batch(let batch) = $0 { batch.gapBefore } else { nil } }
    #expect(gaps.reduce(0, +) == 3)
  }

  @Test
  func
    `F129 what was left out last is declared when the stream ends, and a new run of it tells nothing twice`()
    async throws
  {
    let rig = Rig()
    let active = ActiveStream(
      key: StreamKey(0), request: StreamRequest(name: "battery", configuration: ["record": true]),
      period: nil,
      isPolled: false)
    for session in UInt64(1)...2 {
      rig.intake.open(active, boot: 1, session: .seeded(session), limits: LaneLimits())
      #expect(!rig.intake.takePolled(StreamKey(0), at: .at(0), [255, 4_000]))
      rig.intake.retire(StreamKey(0))
    }
    #expect(told(await rig.reports()) == ["battery_pct", "hole 1", "hole 1", "lost 1", "lost 1"])
  }

  @Test func `F129 whoever waits for a sample does not take an impossible one for it`() async throws {
    let rig = Rig()
    let active = ActiveStream(
      key: StreamKey(0), request: StreamRequest(name: "pressure", configuration: ["record": true]),
      period: .seconds(1), isPolled: true)
    rig.intake.open(active, boot: 1, session: .seeded(1), limits: LaneLimits())
    let heard = await withCheckedContinuation { continuation in
      rig.intake.awaitSample(of: StreamKey(0), until: .seconds(1), continuation)
      rig.intake.takePolled(StreamKey(0), at: .at(0), [0])
      rig.intake.expireWaits(at: .seconds(1))
    }
    #expect(!heard)
  }

  private func told(_ reports: [SessionReport]) -> [String] {
    reports.compactMap {
      switch $0 {
      case .impossible(_, let first): first.field
      case .possible(_, let count): "possible \(count)"
      case .leftOut(_, _, let hole): "hole \(hole.count)"
      case .lost(_, let count): "lost \(count)"
      default: nil
      }
    }.sorted()
  }
}
