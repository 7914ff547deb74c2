import Dialects
import FleetModel
import Testing
import Web

@testable import metafleet

@Suite struct DocumentListingTests {
  private static let dialect = PlainDialect(topics: TopicTree(base: "site/m", gateway: "gw"))

  private static func listing(_ events: [FleetEvent]) throws -> JSONObject {
    let content = DocumentListing(events, since: LogExample.start, in: dialect).content
    #expect(content.status == 200 && content.type == "application/json")
    #expect(content.allHeaders["X-MetaFleet-Gateway"] == "gw")
    return try #require(try StrictJSON.parse(content.bytes, limits: .trusting).object)
  }

  @Test func `F243 all documents stand there by their topics, without a broker`() throws {
    let board = LogExample.board
    let documents = try Self.listing([
      .availability(board, Availability(reason: .connected, since: LogExample.start)),
      .state(BoardState(board: board, link: .streaming, time: LogExample.start)),
    ])
    let topics = ["board/\(board)/availability", "board/\(board)/state", "gateway/gw/availability"]
    #expect(documents.keys.sorted() == topics)
    #expect(documents["gateway/gw/availability"]?.object?["state"] == "online")
  }

  @Test func `the last word of a topic counts, also where it is none`() throws {
    let board = LogExample.board
    let state = FleetEvent.state(BoardState(board: board, link: .streaming, time: LogExample.start))
    #expect(try Self.listing([state, .forgotten(board)]).keys.sorted() == ["gateway/gw/availability"])
    #expect(try Self.listing([.forgotten(board), state]).count == 2)
  }

  @Test func `a name that looks like markup or like JSON is text`() throws {
    let name = "<img src=x onerror=alert(1)>\"},\n"
    let info = BoardInfo(
      board: LogExample.board, family: "metamotion", name: name, site: nil, profile: nil, groups: [],
      labels: [:],
      verbs: [], description: nil, interviewed: nil, changed: LogExample.start)
    let documents = try Self.listing([.info(info)])
    #expect(documents["board/\(LogExample.board)/info"]?.object?["name"]?.string == name)
  }
}
