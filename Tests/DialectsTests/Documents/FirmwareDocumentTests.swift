import FleetModel
import Testing

@testable import Dialects

/// The document `firmware` of MQTT contract 1.4.
@Suite struct FirmwareDocumentTests {
  private static func report(_ offer: FirmwareReport.Offer?, trouble: String? = nil) -> FirmwareReport {
    FirmwareReport(
      board: .example, model: "MetaMotion S", installed: "1.7.2", offer: offer,
      index: offer.map { _ in
        .init(source: "https://example.org/info2.json", fetched: Timestamp(milliseconds: 1_000))
      },
      checked: Timestamp(milliseconds: 2_000), trouble: trouble, time: Timestamp(milliseconds: 3_000))
  }

  @Test func `an update on offer`() {
    let offer = FirmwareReport.Offer(
      latest: "1.7.3", build: "vanilla", hardware: "0.1", isHardwareListed: true)
    let expected: JSONObject = [
      "ts_ms": 3_000, "board": .string(BoardID.example.description), "title": "MetaMotion S firmware",
      "installed_version": "1.7.2", "latest_version": "1.7.3", "in_progress": false, "stage": "idle",
      "checked_ms": 2_000, "index": "https://example.org/info2.json", "index_ms": 1_000,
      "hardware_revision": "0.1", "hardware_listed": true, "build": "vanilla",
    ]
    #expect(FirmwareDocument(Self.report(offer)).json == expected)
  }

  @Test func `without an index there is the reason, and what the board has`() {
    let document = FirmwareDocument(Self.report(nil, trouble: "nobody answers"))
    #expect(document[.trouble] == "nobody answers" && document[.installed] == "1.7.2")
    #expect(document[.isCheckOK] == nil)
    #expect(document[.latest] == nil && document[.index] == nil && document[.indexFetched] == nil)
  }

  @Test func `a remark of the index stands where a failed check is not told`() {
    let offer = FirmwareReport.Offer(
      latest: nil, build: "7", hardware: "0.9", isHardwareListed: false, remark: "not listed")
    #expect(FirmwareDocument(Self.report(offer))[.trouble] == "not listed")
    #expect(FirmwareDocument(Self.report(offer, trouble: "late"))[.trouble] == "late")
    #expect(FirmwareDocument(Self.report(offer))[.isHardwareListed] == false)
  }
}
