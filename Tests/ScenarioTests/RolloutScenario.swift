import BoardKit
import Fleet
import FleetModel
import MetaMotion
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// A rollout over forty simulated boards on two adapters, down to the protocol of their bootloaders, by a gateway that
/// ends in every phase and begins again.
@Suite(.timeLimit(.minutes(30)), .ownThread) struct RolloutScenario {
  private static let topic = "metafleet/gateway/test/rollout/fw-1"
  private static let count = 40

  /// The boards, which outlive gateways.
  private actor Building {
    nonisolated let world: SeededWorld
    private var radio: SimulatedRadio
    private let store: Store

    init() throws {
      let world = SeededWorld(seed: 1)
      self.world = world
      store = try Store(inMemoryOn: world)
      radio = SimulatedRadio(
        boards: GatewayParts.boards(count, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world,
        adapters: SimulatedAdapters.all(2))
    }

    /// A gateway from its start to its stop. Its radio ends with it; boards do not.
    func life<Result: Sendable>(
      _ body: @escaping @Sendable (RecordingBroker) async -> Result
    ) async -> Result? {
      guard var configuration = try? GatewayParts.configuration(boards: count, seed: 1) else { return nil }
      var boards: [any SimulatedBoard] = []
      for id in Rig.boards(count) {
        if let board = await radio.board(id, as: MetaMotionBoard.self) { boards.append(board) }
      }
      radio = SimulatedRadio(
        boards: boards, air: Air(seed: 1), timekeeper: world, executor: world,
        adapters: SimulatedAdapters.all(2))
      configuration.schedules.firmwareCheck = .never
      configuration.bluetooth.maximumLinksPerAdapter = 25
      // Hours of virtual time: what streams now and then is enough to hold a board.
      configuration.profiles["demo"]?.streams["acceleration"] = nil
      for index in configuration.boards.indices { configuration.boards[index].groups = ["pumps"] }
      let parts = GatewayParts(
        radio: radio, configuration: configuration, timekeeper: world, store: store, storeExecutor: world,
        seed: 1, firmware: SeededFirmware())
      return await parts.run(body)
    }

    /// What is wrong with the bootloader of a board.
    func add(_ defect: BootloaderDefect, to board: Int) async {
      await radio.perform(on: Rig.boards(count)[board], as: MetaMotionBoard.self) { board, now in
        board.apply(.defect(.bootloader(defect)), at: now)
      }
    }
  }

  /// What the retained document says, and which commands were begun.
  private struct Seen: Sendable {
    var documents: [JSONObject] = []
    /// Boards, in the order in which their updates were begun, and when.
    var starts: [(board: String, time: Int64)] = []
    /// When the others behind the first ones were due.
    var rolling: Int64? { documents.first { $0["phase"] == "rolling" }?["ts_ms"]?.integer }

    mutating func take(_ messages: [MQTTMessage]) {
      for message in messages {
        guard let object = try? StrictJSON.parse(message.payload, limits: .trusting).object else { continue }
        if message.topic == topic { documents.append(object) }
        guard message.topic.hasSuffix("/reply/firmware-update"), object["stage"] == "accepted",
          let board = object["board"]?.string
        else { continue }
        starts.append((board, object["ts_ms"]?.integer ?? 0))
      }
    }
  }

  private static func begin(_ broker: RecordingBroker, _ arguments: String) async {
    for board in Rig.boards(count) {
      _ = await broker.message {
        $0.topic == "metafleet/board/\(board)/availability" && $0.says("\"connected\"")
      }
    }
    let first = Rig.boards(count).prefix(2).map { #""\#($0)""# }.joined(separator: ",")
    await broker.send(
      "metafleet/group/pumps/cmd/firmware-rollout",
      #"{"id":"fw-1","args":{"confirm":"pumps","version":"1.9.1","canaries":[\#(first)],"soak":"2m","ramp":{"per_hour":600,"max_per_hour":600},\#(arguments)}}"#
    )
  }

  /// Waits until the document says all of that.
  private static func says(_ broker: RecordingBroker, _ words: String..., after mark: Int = 0) async {
    _ = await broker.message(after: mark) { message in
      message.topic == topic && words.allSatisfy { message.says($0) }
    }
  }

  private static func check(_ seen: Seen) {
    let counts = RolloutCount.allCases.map(\.rawValue)
    for document in seen.documents {
      let parts = counts.filter { $0 != "total" }.compactMap { document[$0]?.integer }
      #expect(parts.reduce(0, +) == document["total"]?.integer && parts.count == counts.count - 1)
      #expect((document["running"]?.integer ?? 0) <= 2, "one board on each adapter")
    }
    let first = Set(Rig.boards(count).prefix(2).map(\.description))
    for start in seen.starts where !first.contains(start.board) {
      #expect(seen.rolling.map { $0 <= start.time } == true, "\(start)")
    }
  }

  @Test func `F258 U8 a building gets it although the gateway ends in every phase`() throws {
    let building = try Building()
    let played = building.world.run(atMost: .seconds(86_400)) { () -> Seen in
      var seen = Seen()
      // In the midst of the first ones, while they are watched, and twice among the others.
      let ends: [[String]] = [
        [#""phase":"canary""#, #""running":2"#], [#""phase":"soaking""#],
        [#""phase":"rolling""#, #""done":9"#],
        [#""phase":"rolling""#, #""running":2"#], [#""phase":"done""#],
      ]
      for (life, words) in ends.enumerated() {
        let messages = await building.life { broker -> [MQTTMessage] in
          if life == 0 { await Self.begin(broker, #""retries":9,"abort":{"fail_pct":0,"stranded":0}"#) }
          _ = await broker.message { message in
            message.topic == Self.topic && words.allSatisfy { message.says($0) }
          }
          return await broker.published
        }
        seen.take(messages ?? [])
      }
      return seen
    }
    let seen = try #require(played)
    #expect(seen.documents.last?["done"]?.integer == 40, "\(seen.documents.last ?? [:])")
    #expect(Set(seen.starts.map(\.board)).count == 40)
    Self.check(seen)
  }

  /// Plays one to its end, with a defect of a board.
  private static func played(_ defect: BootloaderDefect, of board: Int, _ arguments: String) throws -> Seen {
    let building = try Building()
    let played = building.world.run(atMost: .seconds(86_400)) { () -> Seen in
      await building.add(defect, to: board)
      var seen = Seen()
      let messages = await building.life { broker -> [MQTTMessage] in
        await begin(broker, arguments)
        await says(broker, #""phase":"aborted""#, #""running":0"#)
        // Whoever is begun all the same would show.
        try? await building.world.sleep(for: .seconds(900))
        return await broker.published
      }
      seen.take(messages ?? [])
      return seen
    }
    return try #require(played)
  }

  @Test func `F257 D20 a first one that starts its old application ends it`() throws {
    let seen = try Self.played(.activation(.old, 9), of: 1, #""retries":1"#)
    let last = seen.documents.last ?? [:]
    #expect(last["failed"]?.integer == 1 && last["skipped"]?.integer == 38, "\(last)")
    #expect(last["reason"]?.string?.contains("one of the first, failed") == true, "\(last)")
    #expect(Set(seen.starts.map(\.board)).count == 2)
    Self.check(seen)
  }

  @Test func `F257 D20 a board that refuses what it was sent is left without firmware, and stops the rest`()
    throws
  {
    let seen = try Self.played(.answer(.validate, .checksum, 999), of: 12, #""parallel":1"#)
    let last = seen.documents.last ?? [:]
    #expect(last["stranded"]?.integer == 1 && last["phase"] == "aborted", "\(last)")
    #expect(seen.starts.last?.board == Rig.boards(Self.count)[12].description)
    let done = last["done"]?.integer ?? 0
    #expect(done == Int64(seen.starts.count - 1) && last["skipped"]?.integer == 40 - done - 1, "\(last)")
    Self.check(seen)
  }
}
