import FleetModel
import Testing

@testable import Dialects

/// MQTT contract 1.5, 9.
@Suite struct ConfigurationDocumentTests {
  private static let board = BoardID("e5a1c2d3f4b6")

  private static func report(
    desired: SetupDeclaration = SetupDeclaration(), reported: SetupDeclaration = SetupDeclaration(),
    met: SetupDeclaration? = nil
  ) throws -> ConfigurationReport {
    ConfigurationReport(
      board: try #require(board), changed: Timestamp(milliseconds: 1_763_671_234_000), profile: "vibration",
      desired: desired, reported: reported, met: met ?? reported, differences: [], overlay: [])
  }

  private static func setup(_ value: JSONValue) -> SetupDeclaration {
    var setup = SetupDeclaration()
    setup[SetupKey(.settings, "tx_dbm")] = value
    return setup
  }

  @Test func `the smallest one has every key`() throws {
    var report = try Self.report()
    report.profile = nil
    expect(
      ConfigurationDocument(report).json,
      always: [
        "ts_ms": .int, "board": .str, "profile": .str, "desired": .object, "reported": .object,
        "desired_hash": .str, "reported_hash": .str, "in_sync": .bool, "differences": .array,
        "overlay": .array, "foreign": .array, "slots_used": .object,
      ])
    #expect(ConfigurationDocument(report).json["profile"] == "")
  }

  /// The contract's example, but for the section: this version keeps no logs.
  @Test func `is as the contract has it`() throws {
    var report = try Self.report(desired: Self.setup(4), reported: Self.setup(4))
    report.slotsUsed = ["loggers": 2, "timers": 0]
    report.applied = Timestamp(milliseconds: 5)
    #expect(
      ConfigurationDocument(report).json == [
        "ts_ms": 1_763_671_234_000, "board": "e5a1c2d3f4b6", "profile": "vibration",
        "desired": ["settings": ["tx_dbm": 4]], "reported": ["settings": ["tx_dbm": 4]],
        "desired_hash": .string(CanonicalJSON.hash(["settings": ["tx_dbm": 4]])),
        "reported_hash": .string(CanonicalJSON.hash(["settings": ["tx_dbm": 4]])), "in_sync": true,
        "differences": [], "overlay": [], "foreign": [], "slots_used": ["loggers": 2, "timers": 0],
        "applied_ms": 5,
      ])
  }

  @Test func `values that the board rounds make no difference of hashes, and are told`() throws {
    let document = ConfigurationDocument(
      try Self.report(desired: Self.setup(3), reported: Self.setup(4), met: Self.setup(3))
    ).json
    #expect(document["reported"] == ["settings": ["tx_dbm": 4]])
    #expect(document["desired_hash"] == document["reported_hash"])
  }

  @Test func `what differs is told`() throws {
    var report = try Self.report(desired: Self.setup(4))
    report.differences = ["settings/tx_dbm missing"]
    report.overlay = [SetupKey(.settings, "tx_dbm")]
    report.foreign = ["logger/3"]
    report.error = StatedReason(.setupUnsupported, "settings/tx_dbm: no")
    let document = ConfigurationDocument(report).json
    #expect(document["in_sync"] == false && document["differences"] == ["settings/tx_dbm missing"])
    #expect(document["overlay"] == ["settings/tx_dbm"] && document["foreign"] == ["logger/3"])
    #expect(document["error"] == "settings/tx_dbm: no" && document["reason_code"] == "setup-unsupported")
    #expect(document["desired_hash"] != document["reported_hash"])
  }

  @Test func `what is too large is cut by whole sections, and the hashes stay those of the whole`() throws {
    var desired = Self.setup(4)
    for number in 0..<400 {
      desired[SetupKey(.events, "event-\(number)")] = .string(String(repeating: "x", count: 100))
    }
    let document = ConfigurationDocument(try Self.report(desired: desired, reported: desired)).json
    #expect(JSONWriter.render(document).count <= ConfigurationDocument.limit)
    #expect(document["truncated"] == true)
    #expect(document["desired"] == ["settings": ["tx_dbm": 4]] && document["reported"] == document["desired"])
    #expect(document["desired_hash"] == .string(CanonicalJSON.hash(desired.document)))
    var long = try Self.report()
    long.error = StatedReason(.setupRefused, String(repeating: "e", count: 100_000))
    #expect(JSONWriter.render(ConfigurationDocument(long).json).count < 5_000)
  }
}
