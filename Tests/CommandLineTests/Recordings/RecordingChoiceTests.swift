import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct RecordingChoiceTests {
  private static var fleet: FleetView {
    var fleet = FleetView(base: "metafleet", scope: .everything)
    func publish(_ topic: String, _ text: String) {
      fleet.apply(topic: "metafleet/board/\(topic)", payload: Array(text.utf8))
    }
    publish(
      "e5a1c2d3f4b6/info",
      #"{"name":"Pump 3","groups":["east"],"gw":"g1","streams":{"shaking":{"streamable":true,"fields":[{"name":"rms_g","unit":"g","type":"number"}]},"battery":{"streamable":true,"fields":[{"name":"battery_pct","unit":"%","type":"integer"}]}}}"#
    )
    publish(
      "e5a1c2d3f4b6/config",
      #"{"desired":{"stream":{"acceleration":{},"acceleration-y":{}},"process":{"shaking":{}}}}"#)
    publish("c0ffee000001/info", #"{"name":"Lamp","groups":["east","west"],"gw":"g1"}"#)
    return fleet
  }

  private static func choice(
    _ boards: [String] = [], _ streams: [String] = []
  ) throws(CommandLineFailure) -> RecordingChoice {
    try RecordingChoice(fleet, boards: boards, streams: streams)
  }

  @Test func `without words it is every stream of every board, those to come included`() throws {
    let choice = try Self.choice()
    #expect(choice.boards == nil && choice.filters(base: "a/b") == ["a/b/board/+/record/+"])
    #expect(try Self.choice(["all"]).boards == nil)
    #expect(choice.fields.map(\.name) == ["ax_g", "ay_g", "az_g", "ay_g", "rms_g"])
    var rows = choice.rows(.csv)
    rows.header()
    #expect(
      String(decoding: rows.take(), as: UTF8.self).hasSuffix("quality_reasons,ax_g,ay_g,az_g,rms_g,other\r\n")
    )
  }

  @Test func `boards are named as everywhere, and groups are their members`() throws {
    let choice = try Self.choice(["Pump", "group:west"], ["shaking", "switch"])
    #expect(
      choice.filters(base: "metafleet") == [
        "metafleet/board/c0ffee000001/record/shaking", "metafleet/board/c0ffee000001/record/switch",
        "metafleet/board/e5a1c2d3f4b6/record/shaking", "metafleet/board/e5a1c2d3f4b6/record/switch",
      ])
    #expect(try Self.choice(["group:east", "Lamp"]).boards?.count == 2)
    var rows = choice.rows(.csv)
    rows.header()
    #expect(String(decoding: rows.take(), as: UTF8.self).hasSuffix(",pressed,rms_g\r\n"))
  }

  @Test(
    arguments: [
      ([], ["acelleration"], "did you mean acceleration?"), (["Lamp"], ["shaking"], "there is no stream"),
      ([], ["tap"], "there is no stream"), (["Pmp 3"], [], "there is no board"),
      (["gateway:g1"], [], "there is no gateway"),
    ] as [([String], [String], String)])
  func `what there is not is refused with what there is`(boards: [String], streams: [String], words: String) {
    let failure = #expect(throws: CommandLineFailure.self) { try Self.choice(boards, streams) }
    #expect(
      failure?.status == .usage && failure?.message.contains(words) == true, "\(failure?.message ?? "")")
  }
}
