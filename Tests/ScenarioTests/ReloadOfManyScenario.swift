import Dialects
import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet
@testable import SeededFaults

/// A reload reaches the boards that it is about, and no other, however many there are (MQTT contract 7.4).
@Suite(.timeLimit(.minutes(20)), .ownThread) struct ReloadOfManyScenario {
  /// A gateway, its file, and what is written to its boards.
  private struct Bench: Sendable {
    let world: SeededWorld
    let radio: ListeningRadio
    let file: FileInMemory
    let parts: GatewayParts

    init(
      _ configuration: FleetConfiguration, boards: Int, world: SeededWorld, store: Store? = nil
    ) throws {
      self.world = world
      let simulated = SimulatedRadio(
        boards: GatewayParts.boards(boards, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
      radio = ListeningRadio(radio: simulated)
      let file = FileInMemory(configuration)
      self.file = file
      parts = GatewayParts(
        radio: radio, configuration: configuration, timekeeper: world,
        store: try store ?? Store(inMemoryOn: world), storeExecutor: world, seed: 1,
        reload: { () async throws(CommandFailure) in file.checked })
    }

    func rig(_ broker: RecordingBroker) -> Rig {
      Rig(
        depth: .simulated, broker: broker, timekeeper: world, hand: SimulatedHand(radio: radio.radio))
    }

    func pass(_ span: Duration) async { try? await world.sleep(for: span) }
  }

  /// What a reload did.
  private struct Effect: Sendable {
    var outcome: CommandOutcome
    /// Boards whose links or availability changed.
    var disturbed: Set<String>
    /// Boards that something was written to.
    var written: Set<BoardID>
    /// Streams that began anew or lack a sample, and how many there are.
    var broken: [String]
    var streams: Int
    /// Paths of the answer.
    var paths: [String]

    init(of bench: Bench, _ broker: RecordingBroker, isConfirmed: Bool = false) async {
      let (mark, before) = (await broker.mark, bench.radio.ears.changes)
      outcome = await bench.parts.gateway.reload(isConfirmed: isConfirmed)
      await bench.pass(.seconds(8))
      let runs = RecordedRuns(await broker.published[mark...])
      let after = bench.radio.ears.changes
      (disturbed, broken, streams) = (runs.disturbed, runs.broken, runs.count)
      written = Set(after.keys.filter { after[$0] != before[$0] })
      paths =
        if case .done(_, let data) = outcome {
          (data["changes"]?.array ?? []).compactMap { $0.object?["path"]?.string }
        } else { [] }
    }

    /// Whether nobody noticed.
    var isQuiet: Bool { disturbed.isEmpty && written.isEmpty && broken.isEmpty }
  }

  private static func configuration(_ count: Int) throws -> FleetConfiguration {
    var configuration = try GatewayParts.configuration(boards: count, seed: 1, rate: 12.5)
    configuration.bluetooth.maximumLinksPerAdapter = 64
    configuration.profiles["other"] = configuration.profiles["demo"]
    for index in configuration.boards.indices where index >= 50 {
      configuration.boards[index].profile = "other"
    }
    return configuration
  }

  @Test func `F188 what fifty boards are called, and another profile, end no link and write to nobody else`()
    throws
  {
    let count = 54
    let world = SeededWorld(seed: 1)
    let bench = try Bench(try Self.configuration(count), boards: count, world: world)
    let outcome = world.run {
      await bench.parts.run { broker -> [Effect] in
        let rig = bench.rig(broker)
        for board in Rig.boards(count) { await rig.isConnected(board) }
        await bench.pass(.seconds(20))
        var effects: [Effect] = []
        // Another order, and another hash, as of comments.
        bench.file.edit {
          $0.configuration.boards.reverse()
          $0.configuration.hash = "other"
        }
        effects.append(await Effect(of: bench, broker))
        // A group renamed, labels, names, sites.
        bench.file.edit {
          for index in $0.configuration.boards.indices.prefix(50) {
            $0.configuration.boards[index].groups = ["renamed"]
            $0.configuration.boards[index].labels = ["room": "3"]
            $0.configuration.boards[index].name = "Pump \(index)"
            $0.configuration.boards[index].site = "roof"
          }
        }
        effects.append(await Effect(of: bench, broker))
        // The profile of the last four.
        bench.file.edit {
          $0.configuration.profiles["other"]?.streams["acceleration"]?.configuration["rate_hz"] = 25
        }
        effects.append(await Effect(of: bench, broker))
        // Two boards fewer.
        bench.file.edit { $0.configuration.boards.removeFirst(2) }
        effects.append(await Effect(of: bench, broker))
        return effects
      }
    }
    let effects = try #require(outcome ?? nil)
    let boards = Rig.boards(count)
    #expect(effects[0].isQuiet && effects[0].paths == [] && effects[0].streams >= count)
    #expect(effects[1].isQuiet && effects[1].paths.count == 100, "\(effects[1].paths)")
    #expect(effects[2].disturbed == [] && effects[2].written == Set(boards.suffix(4)))
    #expect(effects[2].paths == ["profiles.other.stream"])
    let others = Set(boards.prefix(50).map { "metafleet/board/\($0)/record/acceleration" })
    #expect(others.isDisjoint(with: effects[2].broken))
    // The file was turned round: its first two are the last boards.
    let gone = Set(boards.suffix(2).map(\.description))
    #expect(effects[3].disturbed == gone && effects[3].broken.isEmpty, "\(effects[3].disturbed)")
    #expect(effects[3].written.isSubset(of: Set(boards.suffix(2))))
  }

  /// Keys whose change reaches boards, or their links: all others do not disturb what streams.
  private static func reachesBoards(_ path: String) -> Bool {
    let names = ["name", "site", "groups", "labels"].map { "boards[]." + $0 }
    return path.hasPrefix("profiles.") || path == "bluetooth.adapters"
      || path.hasPrefix("boards[]") && !names.contains(path)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `pairs of keys that are not about boards cost no sample while boards stream`(seed: UInt64) throws {
    let world = SeededWorld(seed: seed)
    // As a file would have it, so that reading it again changes nothing.
    let base = try ConfigurationEdits.read(.object(GatewayParts.configuration(boards: 2, seed: 1).document))
    let bench = try Bench(base, boards: 2, world: world)
    let paths = ConfigurationEdits.keys.map(\.path).filter { !Self.reachesBoards($0) }
    var random = SeededGenerator(seed: seed)
    let pairs = (0..<12).map { _ in
      (0..<2).map { _ in paths[Int.random(in: paths.indices, using: &random)] }
    }
    let edited = try pairs.map { pair in
      var file = JSONValue.object(base.document)
      file = ConfigurationEdits.set(["button": false], at: "profiles.q", in: file)
      return try ConfigurationEdits.read(ConfigurationEdits.edited(file, at: pair, profile: "demo"))
    }
    let outcome = world.run {
      await bench.parts.run { broker -> [Effect] in
        let rig = bench.rig(broker)
        for board in Rig.boards(2) { await rig.isConnected(board) }
        await bench.pass(.seconds(20))
        var effects: [Effect] = []
        for configuration in edited {
          bench.file.edit { $0.configuration = configuration }
          effects.append(await Effect(of: bench, broker))
        }
        return effects
      }
    }
    let effects = try #require(outcome ?? nil)
    #expect(effects.reduce(0) { $0 + $1.streams } >= pairs.count, "boards did not stream")
    for (pair, effect) in zip(pairs, effects) {
      #expect(
        effect.isQuiet,
        "seed \(seed), \(pair): \(effect.disturbed) \(effect.written) \(effect.broken)")
      guard case .done = effect.outcome else {
        Issue.record("seed \(seed), \(pair): \(effect.outcome)")
        continue
      }
    }
  }

  @Test
  func `F188 an empty file leaves everything as it is until it is confirmed`() throws {
    let world = SeededWorld(seed: 1)
    let base = try GatewayParts.configuration(boards: 2, seed: 1)
    let bench = try Bench(base, boards: 2, world: world)
    let outcome = world.run {
      await bench.parts.run { broker -> ([Effect], String, String, [String]) in
        let rig = bench.rig(broker)
        for board in Rig.boards(2) { await rig.isConnected(board) }
        await bench.pass(.seconds(20))
        var effects: [Effect] = []
        bench.file.edit { $0.configuration.boards = [] }
        effects.append(await Effect(of: bench, broker))
        let told = await broker.retained["metafleet/gateway/test/info"] ?? []
        bench.file.edit {
          $0.configuration = base
          $0.configuration.log.level = .debug
        }
        effects.append(await Effect(of: bench, broker))
        let taken = await broker.retained["metafleet/gateway/test/info"] ?? []
        bench.file.edit { $0.configuration.boards = [] }
        effects.append(await Effect(of: bench, broker, isConfirmed: true))
        let left = await broker.retained.keys.filter { $0.hasPrefix("metafleet/board/") }
        return (effects, String(decoding: told, as: UTF8.self), String(decoding: taken, as: UTF8.self), left)
      }
    }
    let (effects, told, taken, left) = try #require(outcome ?? nil)
    let quiet = effects.prefix(2).map(\.isQuiet)
    #expect(quiet == [true, true])
    guard case .failed(let empty) = effects[0].outcome, case .done = effects[1].outcome,
      case .done = effects[2].outcome
    else {
      Issue.record("\(effects.map(\.outcome))")
      return
    }
    #expect(empty.data["boards"]?.array?.count == 2 && empty.message.contains("confirm=test"))
    #expect(told.contains("config_error") && !taken.contains("config_error"), "\(told)\n\(taken)")
    #expect(left == [])
  }

  @Test func `F189 a start with an empty file removes nothing until it is confirmed`() throws {
    let world = SeededWorld(seed: 1)
    let store = try Store(inMemoryOn: world)
    let base = try GatewayParts.configuration(boards: 2, seed: 1)
    let first = try Bench(base, boards: 2, world: world, store: store)
    var empty = base
    empty.boards = []
    let second = try Bench(empty, boards: 2, world: world, store: store)
    let outcome = world.run { () -> Restart? in
      let documents = await first.parts.run { broker -> [String: [UInt8]] in
        let rig = first.rig(broker)
        for board in Rig.boards(2) { await rig.isConnected(board) }
        await first.pass(.seconds(20))
        return await broker.retained.filter { $0.key.hasPrefix("metafleet/board/") }
      }
      guard let kept = documents else { return nil }
      return await second.parts.run { broker -> Restart in
        // What the broker kept of the first run.
        for (topic, payload) in kept.sorted(by: { $0.key < $1.key }) {
          await broker.send(MQTTMessage(topic: topic, payload: payload, isRetained: true))
        }
        var restart = Restart(kept: Set(kept.keys))
        await second.pass(.seconds(20))
        await restart.look(broker, store)
        restart.outcomes.append(await second.parts.gateway.reload())
        await second.pass(.seconds(5))
        await restart.look(broker, store)
        restart.outcomes.append(await second.parts.gateway.reload(isConfirmed: true))
        await second.pass(.seconds(5))
        await restart.look(broker, store)
        return restart
      }
    }
    let restart = try #require(outcome ?? nil)
    #expect(!restart.kept.isEmpty && restart.topics == [restart.kept, restart.kept, []])
    #expect(restart.memories == [2, 2, 0])
    #expect(restart.withheld == [2, 2, 0])
    guard case .failed(let refusal) = restart.outcomes[0], case .done = restart.outcomes[1] else {
      Issue.record("\(restart.outcomes)")
      return
    }
    #expect(refusal.data["boards"]?.array?.count == 2)
  }

  /// What is left of boards that a start did not find in the file.
  private struct Restart: Sendable {
    /// Their retained topics before.
    var kept: Set<String>
    var topics: [Set<String>] = []
    var memories: [Int] = []
    /// How many boards the gateway says it leaves alone.
    var withheld: [Int] = []
    var outcomes: [CommandOutcome] = []

    mutating func look(_ broker: RecordingBroker, _ store: Store) async {
      topics.append(Set(await broker.retained.keys.filter { $0.hasPrefix("metafleet/board/") }))
      // What is remembered of boards that left waits for their return.
      let stored = try? await store.boards.memories()
      memories.append(stored.map { $0.values.count { $0.leftSince == nil } } ?? -1)
      let info = try? StrictJSON.parse(await broker.retained["metafleet/gateway/test/info"] ?? []).object
      withheld.append(info?["withheld"]?.array?.count ?? 0)
    }
  }
}
