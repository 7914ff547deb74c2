import FleetModel
import Testing

/// MQTT contract 3.10.
@Suite struct LifecycleVerbsTests {
  @Test func `reset takes nothing`() throws {
    #expect(try intent("reset", [:]) == .device(.reset))
    #expect(try refusal("reset", ["now": true])?.message.contains("\"now\"") == true)
  }

  private static let disconnectCases: [(JSONObject, BoardIntent)] = [
    ([:], BoardIntent.disconnect(hold: .zero, by: .board)),
    (["hold_s": 60], .disconnect(hold: .seconds(60), by: .board)),
    (["hold_s": 86_400, "by": "host"], .disconnect(hold: .seconds(86_400), by: .host)),
  ]

  @Test(arguments: disconnectCases)
  func `disconnect`(arguments: JSONObject, wanted: BoardIntent) throws {
    #expect(try intent("disconnect", arguments) == .board(wanted))
  }

  private static let refusedCases: [JSONObject] = [
    ["hold_s": -1], ["hold_s": 86_401], ["hold_s": 1.5], ["hold_s": "60"], ["by": "phone"], ["hold": 60],
  ]

  @Test(arguments: refusedCases)
  func `refused`(arguments: JSONObject) throws {
    #expect(try refusal("disconnect", arguments)?.code == .invalid)
  }
}
