import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct FirmwareSentenceTests {
  private static func sentence(_ reply: JSONObject) -> String {
    FirmwareSentence.text(
      of: ReplyDocument(json: reply), name: "Pump 3", now: Timestamp(milliseconds: 7_200_000))
  }

  private static func done(_ further: JSONObject) -> JSONObject {
    let data: JSONObject = ["installed_version": "1.7.2", "checked_ms": 1_000, "index_ms": 1_000]
    return ["stage": "done", "data": .object(data.merging(further))]
  }

  @Test(
    arguments: [
      (["latest_version": "1.7.3"], "Pump 3 has firmware 1.7.2, and 1.7.3 is the newest for it."),
      (["latest_version": "1.7.2"], "Pump 3 has firmware 1.7.2, and there is nothing newer for it."),
      (
        ["last_error": "the index lists no firmware for hardware revision 0.9"],
        "Pump 3 has firmware 1.7.2, and what is the newest for it is not known: the index lists no firmware for hardware "
          + "revision 0.9."
      ),
      (
        ["latest_version": "1.7.3", "checked_ms": 2_000, "check_ok": false, "last_error": "nobody answers"],
        "Pump 3 has firmware 1.7.2, and 1.7.3 is the newest for it, by an index of 1h ago, because the last check "
          + "failed: nobody answers."
      ),
      (
        [
          "latest_version": "1.7.3", "checked_ms": 2_000, "check_ok": true,
          "last_error": "a requires bootloader 0.9",
        ],
        "Pump 3 has firmware 1.7.2, and 1.7.3 is the newest for it; mind that a requires bootloader 0.9."
      ),
    ] as [(JSONObject, String)])
  func `a board that answered`(document: JSONObject, sentence: String) {
    #expect(Self.sentence(Self.done(document)) == sentence)
  }

  @Test func `a board that did not`() {
    #expect(
      Self.sentence(["stage": "failed", "code": "unreachable", "message": "the board was never connected"])
        == "Pump 3: the board was never connected.")
    #expect(Self.sentence(["stage": "unknown"]) == "Pump 3: nobody knows which firmware it has.")
  }
}
