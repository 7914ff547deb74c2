import Dialects
import FleetModel
import Testing

/// What earlier runs left on the broker.
@Suite struct EarlierDocumentsTests {
  private static let now = TopicTree(base: "m", gateway: "new")
  private static let board = "e5a1c2d3f4b6"

  /// What is looked at, when the broker holds `seen`.
  private static func documents(_ published: [String], _ seen: [String: String] = [:]) -> EarlierDocuments {
    var documents = EarlierDocuments(published: published, now: now)
    for (topic, text) in seen { documents.saw(topic, Array(text.utf8)) }
    return documents
  }

  @Test func `F222 under the name that a gateway has, nothing is left over`() {
    let ours = Self.documents([
      "m/gateway/new/info", "m/gateway/new/health", "m/gateway/new/adapter/001a7dda7113",
      "m/board/\(Self.board)/info",
    ])
    #expect(ours.removable == [] && ours.abandoned == [] && ours.filters == ["m/gateway/new/adapter/+"])
  }

  @Test func `F222 a gateway that has another id leaves nothing under the old one`() {
    let renamed = Self.documents([
      "m/gateway/old/info", "m/gateway/old/adapter/001a7dda7113", "m/gateway/new/info",
      "m/board/\(Self.board)/info",
    ])
    #expect(
      renamed.removable == [
        "m/gateway/old/adapter/001a7dda7113", "m/gateway/old/availability", "m/gateway/old/info",
      ], "boards have a new gateway below the same base topic")
    #expect(renamed.abandonedIDs == ["old"] && renamed.abandoned == ["m/gateway/old"])
    #expect(renamed.filters == ["m/gateway/new/adapter/+", "m/gateway/old/availability"])
  }

  @Test func `F222 a gateway that has another base topic leaves nothing under the old one, boards included`()
  {
    let moved = Self.documents([
      "a/b/gateway/new/health", "a/b/board/\(Self.board)/info", "a/b/board/\(Self.board)/led",
      "m/board/\(Self.board)/info",
    ])
    #expect(
      moved.removable == [
        "a/b/board/\(Self.board)/info", "a/b/board/\(Self.board)/led", "a/b/gateway/new/availability",
        "a/b/gateway/new/health",
      ])
    #expect(moved.abandonedIDs == [])
    #expect(moved.filters.contains("a/b/board/+/info") && !moved.filters.contains("m/board/+/info"))
  }

  @Test func `F222 a board that another gateway has by now below the old base topic is its`() {
    let published = ["a/gateway/new/info", "a/board/\(Self.board)/info", "a/board/\(Self.board)/led"]
    let ours = Self.documents(published, ["a/board/\(Self.board)/info": #"{"gw":"new"}"#])
    #expect(ours.removable.count == 4)
    let theirs = Self.documents(published, ["a/board/\(Self.board)/info": #"{"gw":"other"}"#])
    #expect(theirs.removable == ["a/gateway/new/availability", "a/gateway/new/info"])
  }

  @Test func `F222 a former name under which a gateway is online is left to it`() {
    let online = ["m/gateway/old/availability": #"{"state":"online","birth":4}"#]
    let copied = Self.documents(["m/gateway/old/info"], online)
    #expect(copied.removable == [] && copied.abandonedIDs == [] && copied.namesInUse == ["m/gateway/old"])
    let offline = ["m/gateway/old/availability": #"{"state":"offline","birth":4}"#]
    #expect(Self.documents(["m/gateway/old/info"], offline).namesInUse == [])
  }

  @Test func `F221 adapters that an earlier run told of are found with the time when they were there`() {
    let topic = "m/gateway/new/adapter/001a7dda711"
    let found = Self.documents(
      [],
      [
        topic + "3": #"{"ts_ms":50,"name":"hci0","state":"up"}"#,
        topic + "4": #"{"ts_ms":50,"name":"hci1","state":"missing","last_seen_ms":20}"#,
        topic + "5": "no document", "m/gateway/old/adapter/001a7dda7116": #"{"ts_ms":50,"name":"hci2"}"#,
        "m/gateway/new/adapter/hci0": #"{"ts_ms":50,"name":"hci0"}"#,
      ]
    ).adapters
    #expect(found.map(\.name) == ["hci0", "hci1"])
    #expect(found.map(\.lastSeen.milliseconds) == [50, 20])
  }

  @Test(
    arguments: [
      "", "/", "gateway/x/info", "m/gateway/x", "m/gateway/x/event/process", "m/board/x/info",
      "m/x/y/adapter/z",
    ])
  func `F222 no other topic is a gateway's document`(topic: String) {
    #expect(TopicTree(ofGatewayDocument: topic) == nil)
  }
}
