import Dialects
import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet
@testable import SeededFaults

/// What a reload changes in a gateway that goes on (MQTT contract 7.3).
@Suite(.timeLimit(.minutes(20))) struct ReloadScenario {
  @Test func `another allow-list counts from the next command on, and is told with every board`() throws {
    let world = SeededWorld(seed: 1)
    let before = try GatewayParts.configuration(boards: 1, seed: 1)
    var after = before
    after.commands.permissions = CommandPermissions([.init(verbs: ["read", "reload"])])
    let radio = SimulatedRadio(
      boards: GatewayParts.boards(1, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
    let parts = GatewayParts(
      radio: radio, configuration: before, timekeeper: world, store: try Store(inMemoryOn: world),
      storeExecutor: world, seed: 1, reloading: after)
    let board = Rig.boards(1)[0]
    let outcome = world.run {
      await parts.run { broker -> [String] in
        let rig = Rig(
          depth: .simulated, broker: broker, timekeeper: world, hand: SimulatedHand(radio: radio))
        await rig.isConnected(board)
        let allowed = await rig.command("haptic", on: board)
        let mark = await broker.mark
        await broker.send("metafleet/gateway/test/cmd/reload", #"{"id":"r"}"#)
        let reloaded = await broker.text {
          $0.topic == "metafleet/gateway/test/reply/reload" && $0.says("\"ok\"")
        }
        let info = await broker.message(after: mark) { $0.topic == "metafleet/board/\(board)/info" }.text
        return [
          allowed, reloaded, info, await rig.command("haptic", on: board),
          await rig.command("read", #""what":"mac""#, on: board),
        ]
      }
    }
    let texts = try #require(outcome ?? nil)
    #expect(texts[0].contains("\"ok\":true"), "\(texts[0])")
    #expect(texts[1].contains(#""changed":["commands"],"needs_restart":[]"#), "\(texts[1])")
    #expect(texts[2].contains(#""verbs":["read"]"#), "\(texts[2])")
    #expect(texts[3].contains("\"denied\""), "\(texts[3])")
    #expect(texts[4].contains("\"ok\":true"), "\(texts[4])")
  }

  @Test func `F202 what of a new file cannot be had is told in the answer, and all else counts`() throws {
    let world = SeededWorld(seed: 1)
    let before = try GatewayParts.configuration(boards: 1, seed: 1)
    var after = before
    after.consumers.http.listen = .internet("192.0.2.1", port: 80)
    after.gateway.site = "roof"
    let radio = SimulatedRadio(
      boards: GatewayParts.boards(1, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
    let parts = GatewayParts(
      radio: radio, configuration: before, timekeeper: world, store: try Store(inMemoryOn: world),
      storeExecutor: world, seed: 1, reloading: after,
      applied: { ["nothing can be served at \($0.consumers.http.listen?.description ?? "")"] })
    let outcome = world.run {
      await parts.run { broker -> [String] in
        let rig = Rig(
          depth: .simulated, broker: broker, timekeeper: world, hand: SimulatedHand(radio: radio))
        for board in Rig.boards(1) { await rig.isConnected(board) }
        await broker.send("metafleet/gateway/test/cmd/reload", #"{"id":"r"}"#)
        let reply = await broker.text {
          $0.topic == "metafleet/gateway/test/reply/reload" && $0.says("\"ok\"")
        }
        let event = await broker.text {
          $0.topic == "metafleet/gateway/test/event/config" && $0.says("reloaded")
        }
        return [reply, event]
      }
    }
    let texts = try #require(outcome ?? nil)
    #expect(texts[0].contains(#""changed":["gateway.site","http"],"needs_restart":[]"#), "\(texts[0])")
    #expect(texts[0].contains("nothing can be served at 192.0.2.1:80"), "\(texts[0])")
    #expect(texts[1].contains(#""problems":1"#), "\(texts[1])")
  }

  /// What the parts of a gateway go by.
  private struct InEffect: Equatable, Sendable {
    var configuration: FleetConfiguration
    var supervisors: [FleetConfiguration]
    var sessions: [LaneLimits]
    var schedules: [Schedules]
    var commands: CommandLimits
    var places: Int?

    init(_ gateway: Gateway) async {
      configuration = await gateway.configuration
      (supervisors, sessions, schedules) = ([], [], [])
      for supervisor in await gateway.supervisorsInOrder {
        supervisors.append(await supervisor.environment.configuration)
        guard let session = await supervisor.link.session else { continue }
        sessions.append(await session.lanes)
        schedules.append(await session.schedules)
      }
      commands = await gateway.services.dispatcher.admission.limits
      places = await gateway.scheduler.adapters.first?.value.limit
    }
  }

  @Test func `whoever goes by the configuration goes by the new one, with the links there are`() throws {
    let world = SeededWorld(seed: 1)
    let before = try GatewayParts.configuration(boards: 2, seed: 1)
    var after = before
    after.gateway.site = "roof"
    after.lanes.liveRate = 1
    after.lanes.maximumSamples = 5
    after.schedules.battery = .every(.seconds(3))
    after.schedules.clock = .never
    after.bluetooth.connectTimeout = .seconds(9)
    after.bluetooth.maximumLinksPerAdapter = 7
    after.storage.retain = .seconds(60)
    after.commands.perMinute = 599
    after.log.level = .debug
    after.mqtt.base = "elsewhere"
    after.mqtt.keepalive = .seconds(30)
    let radio = SimulatedRadio(
      boards: GatewayParts.boards(2, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
    let parts = GatewayParts(
      radio: radio, configuration: before, timekeeper: world, store: try Store(inMemoryOn: world),
      storeExecutor: world, seed: 1, reloading: after)
    let outcome = world.run {
      await parts.run { broker -> (InEffect, [String], [String]) in
        let rig = Rig(
          depth: .simulated, broker: broker, timekeeper: world, hand: SimulatedHand(radio: radio))
        for board in Rig.boards(2) { await rig.isConnected(board) }
        await broker.send("metafleet/gateway/test/cmd/reload", #"{"id":"r"}"#)
        let reply = await broker.text {
          $0.topic == "metafleet/gateway/test/reply/reload" && $0.says("\"ok\"")
        }
        let told = await broker.text {
          $0.topic == "metafleet/gateway/test/event/config" && $0.says("reloaded")
        }
        let mark = await broker.mark
        let live = "metafleet/board/\(Rig.boards(1)[0])/live/acceleration"
        let record = "metafleet/board/\(Rig.boards(1)[0])/record/acceleration"
        for _ in 0..<3 { _ = await broker.message(after: mark) { $0.topic == live } }
        let batch = await broker.message(after: mark) { $0.topic == record }.text
        return (await InEffect(parts.gateway), [reply, told], [batch])
      }
    }
    let (inEffect, told, batches) = try #require(outcome ?? nil)
    var applied = after
    applied.mqtt.base = before.mqtt.base
    #expect(inEffect.configuration == applied)
    #expect(inEffect.supervisors == [applied, applied])
    #expect(inEffect.sessions == [applied.lanes, applied.lanes])
    #expect(inEffect.schedules == [applied.schedules, applied.schedules])
    #expect(inEffect.commands == applied.commands && inEffect.places == 7)
    for text in told { #expect(text.contains(#""needs_restart":["mqtt.base"]"#), "\(text)") }
    #expect(batches.allSatisfy { $0.contains("\"count\":5") || $0.contains("\"n\":5") }, "\(batches)")
  }
}
