import Dialects
import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// What a reload changes in a gateway that goes on (MQTT contract 7.3).
@Suite struct ReloadScenario {
  @Test("another allow-list counts from the next command on, and is told with every board")
  func allowList() throws {
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
}
