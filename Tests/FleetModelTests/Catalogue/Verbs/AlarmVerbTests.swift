import FleetModel
import Testing

/// `alarm-acknowledge` (MQTT contract 4.1).
@Suite struct AlarmVerbTests {
  private static let board = BoardID("c0ffee000001")!

  private static let cases: [(JSONObject, AlarmAcknowledgement)] = [
    (["alarm": "battery-low.c0ffee000001"], .init(alarm: .init(.batteryLow, .board(board)))),
    (["alarm": "storage-full"], .init(alarm: .init(.storageFull))),
    (["board": "C0:FF:EE:00:00:01"], .init(board: board)), (["code": "log-full"], .init(code: .logFull)),
    (["board": "c0ffee000001", "code": "log-full"], .init(code: .logFull, board: board)),
  ]

  @Test(arguments: cases)
  func `means`(arguments: JSONObject, wanted: AlarmAcknowledgement) throws {
    #expect(try intent("alarm-acknowledge", arguments, .gateway) == .gateway(.acknowledgeAlarms(wanted)))
  }

  @Test(
    arguments: [
      ([:], "needs either"), (["alarm": "storage-full", "code": "storage-full"], "needs either"),
      (["alarm": "worry"], "must be the id"), (["code": "worry"], "code"), (["board": "x"], "board"),
    ] as [(JSONObject, String)])
  func `refuses what names none, or two ways at once`(arguments: JSONObject, words: String) throws {
    let failure = try #require(try refusal("alarm-acknowledge", arguments, .gateway))
    #expect(failure.code == .invalid && failure.message.contains(words), "\(failure.message)")
  }
}
