import FleetModel
import Testing

@testable import Dialects

@Suite struct ShortenedInfoTests {
  private static let document = Array(
    (#"{"v":1,"name":"Pump 3","modules":{"led":{"id":2,"present":true}},"streams":{"steps":{"via":"stream","offers":"#
      + #"{"rate_hz":[25,50,100]}},"switch":{"via":"stream"}},"interviewed_ms":7}"#).utf8)

  private func text(in size: Int) -> String? {
    ShortenedInfo.payload(of: Self.document, in: size).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `F263 what a document can best do without goes first, and it says that something went`() {
    let full = Self.document.count
    #expect(
      text(in: full)
        == #"{"v":1,"name":"Pump 3","modules":{"led":{"id":2,"present":true}},"streams":{"steps":{"via":"stream"},"#
        + #""switch":{"via":"stream"}},"interviewed_ms":7,"truncated":true}"#)
    #expect(
      text(in: 140)
        == #"{"v":1,"name":"Pump 3","streams":{"steps":{"via":"stream"},"switch":{"via":"stream"}},"interviewed_ms":7,"truncated":true}"#
    )
    #expect(text(in: 80) == #"{"v":1,"name":"Pump 3","interviewed_ms":7,"truncated":true}"#)
    #expect(text(in: 20) == nil)
  }

  @Test(arguments: ["", "[]", "{", "5"])
  func `what is no document is not shortened`(text: String) {
    #expect(ShortenedInfo.payload(of: Array(text.utf8), in: 1_000) == nil)
  }

  @Test func `F263 only the info of boards can be shortened`() {
    let dialect = PlainDialect(topics: TopicTree(base: "m", gateway: "gw"))
    func short(_ topic: String) -> OutgoingMessage? {
      dialect.shortened(
        OutgoingMessage(MQTTMessage(topic: topic, payload: Self.document, isRetained: true), .state), to: 150)
    }
    let message = short("m/board/e5a1c2d3f4b6/info")?.message
    #expect(
      message?.isRetained == true && message.map { $0.payload.count + $0.topic.utf8.count <= 150 } == true)
    #expect(short("m/board/e5a1c2d3f4b6/config") == nil && short("m/gateway/gw/info") == nil)
  }
}
