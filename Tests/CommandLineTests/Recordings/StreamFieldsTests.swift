import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct StreamFieldsTests {
  /// Boards that say these things of their streams, by their addresses.
  private static func fleet(_ boards: [String: String]) -> FleetView {
    var fleet = FleetView(base: "metafleet", scope: .everything)
    for (board, streams) in boards {
      let info = #"{"name":"\#(board)","groups":[],"gw":"g1","streams":\#(streams)}"#
      fleet.apply(topic: "metafleet/board/\(board)/info", payload: Array(info.utf8))
    }
    return fleet
  }

  private static let board =
    #"{"battery":{"streamable":true,"fields":[{"name":"battery_pct","unit":"%","type":"integer"}]},"shaking":{"streamable":true,"fields":[{"name":"rms_g","unit":"g","type":"number"}]},"switch":{"streamable":false}}"#

  private var info: BoardInfoDocument? {
    Self.fleet(["e5a1c2d3f4b6": Self.board]).boards[RecordExample.board]?.info
  }

  @Test func `a board's own word for its fields counts before the catalogue's`() {
    let declared = StreamFields.declared("battery", by: info)
    #expect(declared.map(\.name) == ["battery_pct"] && declared.map(\.kind) == [.integer])
    #expect(StreamFields.declared("battery", by: nil) != declared)
  }

  @Test func `a chain's fields are known of its board only`() {
    let declared = StreamFields.declared("shaking", by: info)
    #expect(declared.map(\.name) == ["rms_g"] && declared.map(\.unit) == ["g"])
    #expect(StreamFields.declared("shaking", by: nil).isEmpty)
  }

  @Test func `what a board does not speak of is as the catalogue has it, a component by its one field`() {
    for board in [nil, info] {
      #expect(StreamFields.declared("acceleration", by: board).map(\.name) == ["ax_g", "ay_g", "az_g"])
      #expect(StreamFields.declared("acceleration-z", by: board).map(\.name) == ["az_g"])
      #expect(StreamFields.declared("nonsense", by: board).isEmpty)
    }
  }

  @Test func `offered is what any of the boards can send, once and sorted`() {
    let fleet = Self.fleet([
      "e5a1c2d3f4b6": Self.board,
      "c0ffee000001": #"{"acceleration":{"streamable":true},"battery":{"streamable":true},"tap":{}}"#,
    ])
    #expect(StreamFields.offered(by: fleet.boards.values) == ["acceleration", "battery", "shaking"])
    #expect(StreamFields.offered(by: Self.fleet([:]).boards.values) == [])
  }
}
