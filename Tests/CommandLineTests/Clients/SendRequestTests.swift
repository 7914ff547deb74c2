import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite(.timeLimit(.minutes(20)))
struct SendRequestTests {
  /// A gateway that loses the first request, as in a crash behind the broker's acknowledgement; returns what came.
  private static func gateway(_ rig: ClientRig) async throws -> [MQTTMessage] {
    try await ClientSession.with(rig.settings) { session in
      try await session.subscribe(to: ["metafleet/+/+/cmd/+"], .atLeastOnce)
      var heard: [MQTTMessage] = []
      for await event in session.events {
        guard case .message(let message) = event else { continue }
        heard.append(message)
        guard heard.count > 1 else { continue }
        let id = try StrictJSON.parse(message.payload).object?["id"]
        await session.publish(
          MQTTMessage(
            topic: message.topic.replacing("/cmd/", with: "/reply/"),
            payload: JSONWriter.render([
              "id": id ?? "", "stage": "done", "ok": true, "verb": "led", "gw": "g1",
            ])))
        return heard
      }
      return heard
    }
  }

  @Test func `what nobody answers is sent again, byte for byte`() async throws {
    try await ClientRig.with { rig in
      // What is sent before the gateway listens is lost, too.
      async let heard = Self.gateway(rig)
      let request = try SendRequest(
        verb: "led", arguments: [:], isQueued: false, expires: .seconds(600), id: "once")
      let status = try await ClientSession.with(rig.settings) { session in
        try await request.perform(
          on: session, target: .gateway("g1"), in: FleetView(base: "metafleet"), json: true,
          resendingAfter: .milliseconds(200))
      }
      #expect(status == .ok)
      let requests = try await heard
      #expect(requests.count == 2 && requests[0].payload == requests[1].payload)
      // F224: who it was, as our own commands say it.
      #expect(requests.allSatisfy { $0.properties.user.claimedSender?.hasSuffix(" metafleet") == true })
    }
  }
}
