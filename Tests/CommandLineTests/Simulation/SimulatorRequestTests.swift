import FleetModel
import Simulator
import Testing

@testable import metafleet

@Suite struct SimulatorRequestTests {
  private static let boards = (1...3).map { BoardIdentity(number: $0).address }
  private static let now = Duration.milliseconds(100_500)

  private static func request(_ text: String, isRetained: Bool = false) -> SimulatorRequest {
    SimulatorRequest(
      MQTTMessage(topic: "metafleet/simulator/do", payload: Array(text.utf8), isRetained: isRetained),
      boards: boards, at: now)
  }

  private static func answers(_ text: String, isRetained: Bool = false) -> [String] {
    let request = request(text, isRetained: isRetained)
    return request.answers.map { JSONWriter.text(of: .object($0.json(id: request.id))) }
  }

  @Test func `lines are carried out one after the other, from now on`() {
    let request = Self.request("press 1 for 200ms\r\n\n# a remark\nafter 2s tap all\nat 7s release 2")
    #expect(request.orders.map(\.at) == [.milliseconds(100_500), .milliseconds(102_500), .seconds(7)])
    #expect(request.orders.map(\.boards.count) == [1, 3, 1])
  }

  @Test func `each line has its answer, with what was asked, and the id of the request`() {
    #expect(
      Self.answers(#"{"lines": "press 1\nprss 2", "id": "a"}"#) == [
        #"{"id":"a","line":"press 1","ok":true,"at_s":100.5,"boards":["c0ffee000001"]}"#,
        #"{"id":"a","line":"prss 2","ok":false,"error":"there is no command \"prss\"; did you mean press?"}"#,
      ])
    #expect(Self.answers("  ") == [] && Self.answers(#"{"lines": ""}"#) == [])
  }

  @Test func `F310 a retained message is not obeyed, and says so`() {
    #expect(Self.request("press 1", isRetained: true).orders == [])
    #expect(
      Self.answers("press 1", isRetained: true).first?.contains("retained messages are not obeyed") == true)
  }

  @Test(arguments: [
    (String(repeating: "#", count: 16_385), "16384 are allowed"),
    (String(repeating: "tap 1\n", count: 1001), "at most 1000 lines, not 1001"),
    (#"{"lines": "tap 1""#, "not acceptable JSON"), (#"{"line": "tap 1"}"#, "an object is expected"),
    (#"{"lines": "tap 1", "board": 1}"#, "an object is expected"),
    (#"{"lines": 7}"#, "an object is expected"),
    (#"{"lines": "tap 1", "id": 7}"#, "id is a text"), (#"{"lines": "tap 1", "id": ""}"#, "id is a text"),
  ])
  func `F311 what is too much, or no request, is refused as a whole with the reason`(
    text: String, words: String
  ) {
    let request = Self.request(text)
    #expect(request.orders == [] && request.answers.count == 1)
    #expect(Self.answers(text).first?.contains(words) == true)
  }

  @Test func `F311 bytes that are no text are refused`() {
    let message = MQTTMessage(topic: "metafleet/simulator/do", payload: [0xFF, 0xFE])
    let request = SimulatorRequest(message, boards: Self.boards, at: Self.now)
    #expect(request.answers.map(\.line) == [nil] && request.orders == [])
  }
}
