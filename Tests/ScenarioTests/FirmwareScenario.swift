import BoardKit
import FleetModel
import Fleet
import Simulator
import Storage
import Support
import Synchronization
import Testing
import VirtualTime

@testable import SeededFaults

/// Checks for newer firmware, from the schedule to the document and the answer.
@Suite(.timeLimit(.minutes(20))) struct FirmwareScenario {
  /// An index that has the same for every board.
  private struct ToyIndex: FirmwareIndex {
    var latest: String

    func offer(for board: BoardDescription) -> FirmwareReport.Offer {
      FirmwareReport.Offer(latest: latest, build: "vanilla", hardware: "0.1", isHardwareListed: true)
    }
  }

  /// Hands out one version after the other; nil is a failed check.
  private final class ScriptedSource: FirmwareSource {
    private let versions: Mutex<[String?]>

    init(_ versions: [String?]) { self.versions = Mutex(versions) }

    func kept(_ configuration: FirmwareConfiguration) async -> FetchedIndex? { nil }

    func fetch(
      _ configuration: FirmwareConfiguration, at now: Timestamp
    ) async throws(FirmwareCheckFailure) -> FetchedIndex {
      let version = versions.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      guard let version else { throw FirmwareCheckFailure("nobody answers") }
      return FetchedIndex(
        ToyIndex(latest: version), from: FirmwareReport.Index(source: configuration.index, fetched: now))
    }
  }

  private static func play(
    _ versions: [String?], _ schedule: ScheduleRule,
    _ body: @escaping @Sendable (Rig, BoardID) async -> [String]
  ) throws -> [String] {
    let world = SeededWorld(seed: 1)
    let life = try Life(versions, schedule, in: world, try Store(inMemoryOn: world))
    let texts = world.run { await life.play(body) }
    return try #require(texts ?? nil)
  }

  /// A gateway with one board, from its start to its stop.
  private struct Life: Sendable {
    let world: SeededWorld
    let radio: SimulatedRadio
    let parts: GatewayParts

    init(_ versions: [String?], _ schedule: ScheduleRule, in world: SeededWorld, _ store: Store) throws {
      self.world = world
      var configuration = try GatewayParts.configuration(boards: 1, seed: 1)
      configuration.schedules.firmwareCheck = schedule
      radio = SimulatedRadio(
        boards: GatewayParts.boards(1, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
      parts = GatewayParts(
        radio: radio, configuration: configuration, timekeeper: world, store: store, storeExecutor: world,
        seed: 1, firmware: ScriptedSource(versions))
    }

    /// Does something once the board is there.
    func play(_ body: @escaping @Sendable (Rig, BoardID) async -> [String]) async -> [String]? {
      let board = Rig.boards(1)[0]
      return await parts.run { broker -> [String] in
        let rig = Rig(depth: .simulated, broker: broker, timekeeper: world, hand: SimulatedHand(radio: radio))
        await rig.isConnected(board)
        return await body(rig, board)
      }
    }
  }

  @Test func `F194 a newer build is published and told once, and a failed check keeps it`() throws {
    let texts = try Self.play(["90.0.0", nil], .every(.seconds(60))) { rig, board in
      let root = "metafleet/board/\(board)"
      let first = await rig.broker.message { $0.topic == "\(root)/firmware" }.text
      let event = await rig.broker.message { $0.topic == "\(root)/event/firmware" }.text
      let failed = await rig.broker.message { $0.topic == "metafleet/gateway/test/event/firmware" }.text
      let second = await rig.broker.message {
        $0.topic == "\(root)/firmware" && $0.says("nobody answers")
      }.text
      return [first, event, failed, second]
    }
    #expect(texts[0].contains(#""latest_version":"90.0.0""#), "\(texts[0])")
    #expect(texts[1].contains(#""event_type":"available""#), "\(texts[1])")
    #expect(texts[2].contains(#""event_type":"failed""#), "\(texts[2])")
    #expect(texts[3].contains(#""latest_version":"90.0.0""#), "\(texts[3])")
  }

  @Test func `F196 a build is announced once, also when the gateway starts anew`() throws {
    let world = SeededWorld(seed: 1)
    let store = try Store(inMemoryOn: world)
    let (minute, newer) = (ScheduleRule.every(.seconds(60)), "91.0.0")
    let first = try Life(["90.0.0"], minute, in: world, store)
    let second = try Life(["90.0.0", newer], minute, in: world, store)
    let texts = world.run { () -> [[String]?] in
      let before = await first.play { rig, board in
        let topic = "metafleet/board/\(board)/event/firmware"
        let event = await rig.broker.message { $0.topic == topic }.text
        try? await world.sleep(for: .seconds(5))
        return [event]
      }
      let after = await second.play { rig, board in
        let topic = "metafleet/board/\(board)/event/firmware"
        _ = await rig.broker.message { $0.topic == topic && $0.says(newer) }
        let info = await rig.broker.retained["metafleet/board/\(board)/info"] ?? []
        return await rig.broker.published.filter { $0.topic == topic }.map(\.text)
          + [String(decoding: info, as: UTF8.self)]
      }
      return [before, after]
    }
    let (before, after) = (try #require(texts?[0]), try #require(texts?[1]))
    #expect(before[0].contains(#""latest_version":"90.0.0""#), "\(before)")
    #expect(after.count == 2 && after[0].contains(#""latest_version":"91.0.0""#), "\(after)")
    #expect(after.last?.contains(#""hardware_listed":true"#) == true, "\(after)")
  }

  @Test func `firmware-check asks when nothing fresh is known, and always where that is demanded`() throws {
    let texts = try Self.play(["90.0.0", "91.0.0"], .never) { rig, board in
      [
        await rig.command("firmware-check", on: board), await rig.command("firmware-check", on: board),
        await rig.command("firmware-check", #""refresh":true"#, on: board),
        await rig.command("firmware-check", #""refresh":true"#, on: board),
      ]
    }
    #expect(texts[0].contains("90.0.0") && texts[1].contains("90.0.0"), "\(texts)")
    #expect(texts[2].contains("91.0.0"), "\(texts[2])")
    #expect(texts[3].contains("91.0.0") && texts[3].contains("nobody answers"), "\(texts[3])")
  }

  @Test func `firmware-check says why there is no index`() throws {
    let texts = try Self.play([], .never) { rig, board in [await rig.command("firmware-check", on: board)] }
    #expect(texts[0].contains("there is no index of firmware: nobody answers"), "\(texts[0])")
    #expect(texts[0].contains(#""code":"internal""#), "\(texts[0])")
  }
}
