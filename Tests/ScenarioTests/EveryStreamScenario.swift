import Dialects
import FleetModel
import Foundation
import Support
import Testing

/// Every stream that a board says it can produce is started by command, yields samples where it has a rate, and stops.
@Suite(.timeLimit(.minutes(20))) struct EveryStreamScenario {
  @Test(arguments: ["c0ffee000001", "c0ffee000002"])
  func `every stream on offer can be had`(board: String) async throws {
    let root = "metafleet/board/\(board)"
    let outcome = try await Rig.play(at: .simulated, boards: 2) { rig -> [String: String] in
      await rig.broker.text { $0.topic == "\(root)/availability" && $0.says("connected") }
      await rig.broker.text { $0.topic == "\(root)/record/acceleration" }
      let info = await rig.broker.retained["\(root)/info"] ?? []
      var replies: [String: String] = [:]
      // The profile's own stream would stand in the way of those that need its sensor otherwise.
      await rig.broker.send("\(root)/cmd/stream-stop", #"{"id":"first"}"#)
      await rig.broker.text { $0.topic == "\(root)/reply/stream-stop" && $0.says("\"first\"") }
      for stream in Self.offered(in: info) {
        let needed = Self.needed[stream] ?? ""
        await rig.broker.send(
          "\(root)/cmd/stream-start", #"{"id":"\#(stream)","args":{"stream":"\#(stream)"\#(needed)}}"#)
        replies[stream] = await rig.broker.text {
          $0.topic == "\(root)/reply/stream-start" && $0.says("\"id\":\"\(stream)\"") && $0.says("\"ok\"")
        }
        await rig.broker.send(
          "\(root)/cmd/stream-stop", #"{"id":"\#(stream)","args":{"stream":"\#(stream)"}}"#)
        await rig.broker.text {
          $0.topic == "\(root)/reply/stream-stop" && $0.says("\"id\":\"\(stream)\"") && $0.says("\"ok\"")
        }
      }
      return replies
    }
    let replies = try #require(outcome)
    #expect(replies.count > 50, "\(replies.keys.sorted())")
    for (stream, reply) in replies.sorted(by: { $0.key < $1.key }) {
      #expect(reply.contains("\"ok\":true"), "\(stream): \(reply)")
    }
  }

  /// Keys without which a stream cannot be had.
  private static let needed = [
    "temperature-external": #","data_pin":0,"pulldown_pin":1"#, "magnetic-alarm": #","high_ut":60"#,
  ]

  private static func offered(in info: [UInt8]) -> [String] {
    let document = try? JSONSerialization.jsonObject(with: Data(info)) as? [String: Any]
    return (document?["streams"] as? [String: Any])?.keys.sorted() ?? []
  }
}
