import Dialects
import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// What chains yield are streams of the board, and their sensors run for them (MQTT contract 2.5, 3.8).
@Suite(.timeLimit(.minutes(20))) struct ChainScenario {
  /// Board 1, which streams acceleration at 50 Hz and 4 g when it begins.
  private struct Bench: Sendable {
    static let board = Rig.boards(1)[0]
    static let root = "metafleet/board/\(board)"
    let broker: RecordingBroker
    let radio: SimulatedRadio

    /// The final reply to a verb.
    func reply(_ verb: String, _ arguments: String) async -> String {
      let id = "r\(await broker.mark)"
      await broker.send("\(Self.root)/cmd/\(verb)", "{\"id\":\"\(id)\",\"args\":{\(arguments)}}")
      return await broker.text {
        $0.topic == "\(Self.root)/reply/\(verb)" && $0.says("\"\(id)\"") && $0.says("\"ok\"")
      }
    }

    /// The next batch of a stream.
    @discardableResult
    func samples(of stream: String, after mark: Int? = nil) async -> String {
      let now = await broker.mark
      return await broker.message(after: mark ?? now) { $0.topic == "\(Self.root)/record/\(stream)" }.text
    }

    /// Whether the accelerometer samples, as the board says.
    func isSampling() async -> Bool { await answer(to: [0x03, 0x82])?.last == 0x01 }

    /// How many processors there are.
    func processors() async -> Int {
      await radio.board(Self.board, as: MetaMotionBoard.self).map { BoardSlots(of: $0).count(of: 0x09) } ?? -1
    }

    private func answer(to question: [UInt8]) async -> [UInt8]? {
      guard var firmware = await radio.board(Self.board, as: MetaMotionBoard.self)?.firmware else {
        return nil
      }
      return firmware.write(question, at: .zero).lazy.compactMap { effect in
        if case .notify(let packet) = effect { packet } else { nil }
      }.first
    }
  }

  private static func play<Result: Sendable>(
    _ configuration: FleetConfiguration? = nil, _ body: @escaping @Sendable (Bench) async -> Result
  ) throws -> Result {
    let world = SeededWorld(seed: 1)
    let radio = SimulatedRadio(
      boards: GatewayParts.boards(1, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
    let parts = GatewayParts(
      radio: radio, configuration: try configuration ?? GatewayParts.configuration(boards: 1, seed: 1),
      timekeeper: world, store: try Store(inMemoryOn: world), storeExecutor: world, seed: 1)
    let outcome = world.run(atMost: .seconds(300)) {
      await parts.run { broker in await body(Bench(broker: broker, radio: radio)) }
    }
    return try #require(outcome ?? nil)
  }

  /// The session of a batch.
  private static func session(_ batch: String) -> Substring? {
    batch.split(separator: "\"").drop { $0 != "session" }.dropFirst(2).first
  }

  private static let calm =
    #""name":"calm","from":"acceleration","rate_hz":50,"chain":["rms",{"average":4}]"#

  @Test func `a chain is a stream whether or not its sensor is one`() throws {
    let told = try Self.play { bench in
      await bench.samples(of: "acceleration")
      let made = await bench.reply("processor-create", Self.calm)
      let first = await bench.samples(of: "calm")
      let info = await bench.broker.text {
        $0.topic == "\(Bench.root)/info" && $0.says("\"calm\":{\"fields\":[{\"name\":\"calm_g\"")
      }
      _ = await bench.reply("stream-stop", #""stream":"acceleration""#)
      let alone = await bench.samples(of: "calm")
      let samplesAlone = await bench.isSampling()
      let stopped = await bench.reply("stream-stop", #""stream":"calm""#)
      let computesUnheard = await bench.isSampling()
      let again = await bench.reply("stream-start", #""stream":"calm","live_rate_hz":1"#)
      await bench.samples(of: "calm")
      let removed = await bench.reply("processor-remove", #""name":"calm""#)
      let samplesForNobody = await bench.isSampling()
      let gone = await bench.reply("stream-start", #""stream":"calm""#)
      return (
        made: made, first: first, info: info, alone: alone, stopped: stopped, again: again, removed: removed,
        gone: gone, sampling: [samplesAlone, computesUnheard, samplesForNobody]
      )
    }
    #expect(told.made.contains("\"stream\":\"calm\"") && told.made.contains("\"readback\""), "\(told.made)")
    // At rest one axis of three measures 1 g.
    #expect(told.first.contains("\"calm_g\":0.5") && told.first.contains("\"gap_before\":0"), "\(told.first)")
    #expect(told.info.contains("\"via\":\"stream\""))
    #expect(told.alone.contains("\"calm_g\":0.5"), "\(told.alone)")
    #expect(told.stopped.contains("\"stopped\":[\"calm\"]"), "\(told.stopped)")
    #expect(told.again.contains("\"config\":{\"live_rate_hz\":1}"), "\(told.again)")
    #expect(told.removed.contains("\"removed\":[1,0]"), "\(told.removed)")
    #expect(told.gone.contains("\"code\":\"invalid\""), "\(told.gone)")
    #expect(told.sampling == [true, true, false])
  }

  @Test func `whoever comes later has to agree (MQTT contract 2.2)`() throws {
    let told = try Self.play { bench in
      await bench.samples(of: "acceleration")
      let tooFast = await bench.reply(
        "processor-create", #""name":"fast","from":"acceleration","rate_hz":100,"chain":["rms"]"#)
      let untouched = await bench.processors()
      _ = await bench.reply("processor-create", Self.calm)
      let mark = await bench.broker.mark
      var refused: [String] = []
      for arguments in [
        #""stream":"acceleration","rate_hz":100"#, #""stream":"acceleration","range_g":2"#,
        #""stream":"quaternion""#,
      ] { refused.append(await bench.reply("stream-start", arguments)) }
      await bench.samples(of: "calm")
      let batches = await bench.broker.published[mark...].filter { $0.topic == "\(Bench.root)/record/calm" }
      let running = await bench.samples(of: "acceleration")
      return (
        tooFast: tooFast, untouched: untouched, refused: refused, batches: batches.map(\.text),
        running: running
      )
    }
    #expect(told.tooFast.contains("\"invalid\"") && told.tooFast.contains("50 Hz, 4 g"), "\(told.tooFast)")
    #expect(told.untouched == 0)
    for reply in told.refused {
      #expect(reply.contains("\"invalid\"") && reply.contains("acceleration"), "\(reply)")
    }
    // The chain never heard of it: one session, and nothing missing.
    #expect(Set(told.batches.map(Self.session)).count == 1, "\(told.batches)")
    #expect(told.batches.allSatisfy { $0.contains("\"gap_before\":0") })
    #expect(told.running.contains("\"az_g\""))
  }

  @Test func `a slot that is filled anew is subscribed anew`() throws {
    let told = try Self.play { bench in
      await bench.samples(of: "acceleration")
      _ = await bench.reply("processor-create", Self.calm)
      await bench.samples(of: "calm")
      _ = await bench.reply("processor-remove", #""name":"calm""#)
      let made = await bench.reply(
        "processor-create", #""name":"loud","from":"acceleration","chain":["rss",{"average":4}]"#)
      return (made, await bench.samples(of: "loud"))
    }
    #expect(told.0.contains("\"processors\":[0,1]"), "\(told.0)")
    #expect(told.1.contains("\"loud_g\":1") || told.1.contains("\"loud_g\":0.9"), "\(told.1)")
  }

  @Test func `a lost link leaves a gap`() throws {
    let told = try Self.play { bench in
      await bench.samples(of: "acceleration")
      _ = await bench.reply("processor-create", Self.calm)
      await bench.samples(of: "calm")
      let mark = await bench.broker.mark
      await bench.radio.loseLink(of: Bench.board)
      let gap = await bench.broker.message(after: mark) {
        $0.topic == "\(Bench.root)/event/data-gap" && $0.says("\"calm\"")
      }
      let resumed = await bench.broker.message(after: mark) {
        $0.topic == "\(Bench.root)/record/calm" && $0.says("\"seq\":0")
      }
      return (gap.text, resumed.text, await bench.processors())
    }
    #expect(told.0.contains("\"reason\":\"radio\""), "\(told.0)")
    // Its sensor runs at a known rate, and the chain tells as many samples.
    #expect(!told.1.contains("\"gap_before\":-1") && !told.1.contains("\"gap_before\":0"), "\(told.1)")
    #expect(told.2 == 2)
  }

  @Test func `what the board does not take needs no sensor, and stands in nobody's way`() throws {
    var configuration = try GatewayParts.configuration(boards: 1, seed: 1)
    var profile = Profile()
    // Firmware 1.7 tells no peaks (trap T36).
    try profile.program.declare(
      ProgramKey(.chain, "blow"),
      [
        "from": "acceleration-x", "rate_hz": 100,
        "chain": [["pulse": ["threshold_g": 1, "samples": 4, "output": "peak"]]],
      ])
    try profile.program.declare(
      ProgramKey(.chain, "calm"), ["from": "acceleration", "rate_hz": 50, "chain": ["rms", ["average": 4]]])
    configuration.profiles["demo"] = profile
    let told = try Self.play(configuration) { bench in
      let mark = await bench.broker.mark
      for _ in 0..<60 { await bench.samples(of: "calm") }
      let batches = await bench.broker.published[mark...].filter { $0.topic == "\(Bench.root)/record/calm" }
      let state = await bench.broker.text { $0.topic == "\(Bench.root)/state" && $0.says("process/blow") }
      return (batches.map(\.text), state)
    }
    #expect(Set(told.0.map(Self.session)).count == 1)
    #expect(told.1.contains("pulse") && !told.1.contains("process/calm"), "\(told.1)")
  }

  @Test func `what is only readable is read by the board itself (MQTT contract 3.8)`() throws {
    let told = try Self.play { bench in
      await bench.samples(of: "acceleration")
      let made = await bench.reply(
        "processor-create", #""name":"warm","from":"temperature-die","every":"1s","chain":["passthrough"]"#)
      return (made, await bench.samples(of: "warm"))
    }
    #expect(told.0.contains("\"warm_c\""), "\(told.0)")
    #expect(told.1.contains("\"warm_c\":2"), "\(told.1)")
  }

  @Test func `the tick of an accounter is the stamp (MQTT contract 2.5)`() throws {
    let told = try Self.play { bench in
      await bench.samples(of: "acceleration")
      _ = await bench.reply(
        "processor-create", #""name":"timed","from":"acceleration","chain":["rms","accounter"]"#)
      return await bench.samples(of: "timed")
    }
    #expect(told.contains("\"source\":\"board-tick\"") && told.contains("\"timed_g\":0.5"), "\(told)")
    #expect(!told.contains("timed_number"))
  }

  @Test func `a chain that cannot have its sensor waits for it`() throws {
    var configuration = try GatewayParts.configuration(boards: 1, seed: 1)
    var profile = Profile()
    profile.streams["quaternion"] = StreamRequest(name: "quaternion", configuration: [:])
    try profile.program.declare(
      ProgramKey(.chain, "calm"), ["from": "acceleration", "chain": ["rms", ["average": 4]]])
    configuration.profiles["demo"] = profile
    let told = try Self.play(configuration) { bench in
      await bench.samples(of: "quaternion")
      let state = await bench.broker.text { $0.topic == "\(Bench.root)/state" && $0.says("process/calm") }
      let refused = await bench.reply("stream-start", #""stream":"calm""#)
      let untouched = await bench.processors()
      _ = await bench.reply("stream-stop", #""stream":"quaternion""#)
      return (state, refused, untouched, await bench.samples(of: "calm"))
    }
    #expect(told.0.contains("calm cannot compute") && told.0.contains("fusion owns the accelerometer"))
    #expect(told.1.contains("\"invalid\"") && told.1.contains("fusion owns"), "\(told.1)")
    #expect(told.2 == 0)
    #expect(told.3.contains("\"calm_g\":0.5"), "\(told.3)")
  }
}
