import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct StoredRequestTests {
  private static func request(
    _ target: CommandTarget, _ arguments: JSONObject = [:], mode: CommandRequest.Mode = .now,
    isLight: Bool = false,
    hasSenderID: Bool = true, replyTo: ReplyAddress = ReplyAddress()
  ) -> CommandRequest {
    var request = CommandRequest(
      id: "01JDB8ZK", hasSenderID: hasSenderID, target: target, verb: "led", arguments: arguments, mode: mode,
      expires: .at(30_000), issued: nil, arrived: .at(5), payloadHash: .max - 4, replyTo: replyTo)
    request.isLight = isLight
    return request
  }

  private static let requests: [CommandRequest] = [
    request(
      .board(.number(1)),
      ["color": ["r": 1, "g": 2, "b": 3], "pattern": "blink", "x": [1.5, true, "\u{1B}\"\\ß"]]),
    request(.gateway("gw"), mode: .queue, hasSenderID: false), request(.group("east")),
    request(.board(.number(1)), ["state": "ON"], isLight: true),
    request(
      .board(.number(1)), replyTo: ReplyAddress(responseTopic: "me/answers", correlationData: [0, 1, 0xFF])),
  ]

  @Test(arguments: requests)
  func `F82 a request comes back as it was`(request: CommandRequest) {
    #expect(StoredRequest(StoredRequest(request).bytes) == StoredRequest(request))
  }

  @Test
  func `F82 a job comes back with its members and limits, a member with its job, a sender with its names`() {
    var job = Self.request(.group("east"))
    job.job = ["parallel": 3]
    job.isExpiryGiven = true
    job.sender = [UserProperty("user", "ada"), UserProperty("user", "\"")]
    let stored = StoredRequest(job, members: [.number(2), .number(1)])
    #expect(StoredRequest(stored.bytes) == stored)
    let member = StoredRequest(Self.requests[0], of: .init(topic: "m/group/east/cmd/led", id: "x"))
    #expect(StoredRequest(member.bytes) == member)
  }

  @Test(
    arguments: ["", "{", "[]", "{}", "null", #"{"id":"a","verb":"led"}"#])
  func `F93 what is damaged is no request`(text: String) { #expect(StoredRequest(Array(text.utf8)) == nil) }

  @Test func `F93 cut anywhere it is no request and does not trap`() {
    let bytes = StoredRequest(Self.requests[0]).bytes
    for count in 0..<bytes.count { #expect(StoredRequest(Array(bytes.prefix(count))) == nil) }
  }
}
