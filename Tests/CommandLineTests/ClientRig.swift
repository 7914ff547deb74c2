import Dialects
import EventLoops
import FleetModel

@testable import metafleet

/// A broker of a test's own, and somebody who plays the gateway.
struct ClientRig: Sendable {
  let broker: MosquittoDaemon
  var environment: [String: String] { ["METAFLEET_MQTT_PORT": "\(broker.port)"] }
  var settings: UplinkConfiguration {
    var settings = UplinkConfiguration()
    settings.host = "127.0.0.1"
    settings.port = broker.port
    return settings
  }

  static func with(_ body: (ClientRig) async throws -> Void) async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let rig = ClientRig(broker: try await MosquittoDaemon.start(port: nil, on: loop))
    do {
      try await body(rig)
    } catch {
      await rig.broker.stop()
      throw error
    }
    await rig.broker.stop()
  }

  /// Puts the example fleet on the broker.
  func publishFleet() async throws {
    try await publish([
      "board/e5a1c2d3f4b6/info": #"{"name":"Pump 3","groups":["east"],"gw":"g1","model":"MetaMotion S"}"#,
      "board/e5a1c2d3f4b6/availability": #"{"state":"online","reason":"connected","since_ms":1,"gw":"g1"}"#,
      "board/e5a1c2d3f4b6/state": #"{"link":"streaming","battery_pct":81,"gw":"g1"}"#,
      "gateway/g1/availability": #"{"state":"online","birth":1}"#,
    ])
  }

  /// Puts retained documents on the broker, where an empty one removes, or messages that it only passes on.
  func publish(_ documents: [String: String], isRetained: Bool = true) async throws {
    try await ClientSession.with(settings) { session in
      for (topic, text) in documents {
        await session.publish(
          MQTTMessage(topic: "metafleet/\(topic)", payload: Array(text.utf8), isRetained: isRetained))
      }
      // Each is acknowledged: from now on the broker has them.
      var missing = documents.count
      for await event in session.events {
        if case .acknowledged = event { missing -= 1 }
        if missing == 0 { return }
      }
    }
  }

  /// Answers the next command with these replies, its id filled in, and returns it.
  func answer(with replies: [JSONObject], ready: @escaping @Sendable () -> Void) async throws -> JSONObject {
    try await ClientSession.with(settings) { session in
      try await session.subscribe(to: ["metafleet/+/+/cmd/+"], .atLeastOnce)
      ready()
      for await event in session.events {
        guard case .message(let message) = event, let request = try StrictJSON.parse(message.payload).object
        else { continue }
        if message.topic.hasSuffix(Self.end) { throw NothingSent() }
        for reply in replies {
          await session.publish(
            MQTTMessage(
              topic: message.topic.replacing("/cmd/", with: "/reply/"),
              payload: JSONWriter.render((["id": request["id"] ?? ""] as JSONObject).merging(reply))))
        }
        return request
      }
      return JSONObject()
    }
  }

  /// Runs the program while the gateway answers it. Throws where it ends without having sent anything.
  func run(
    _ arguments: [String], answering replies: [JSONObject]
  ) async throws -> (ending: BuiltProgram.Ending, request: JSONObject) {
    let (listening, isListening) = AsyncStream<Void>.makeStream()
    async let request = answer(with: replies) { isListening.yield() }
    _ = await First.value(of: listening)
    let ending = try await BuiltProgram.run(arguments, environment: environment)
    // Behind whatever it has sent.
    try await publish([Self.end: "{}"], isRetained: false)
    do { return (ending, try await request) } catch is NothingSent { throw NothingSent(ending: ending) }
  }

  /// A topic of commands on which no program sends any.
  private static let end = "gateway/none/cmd/end"

  struct NothingSent: Error {
    var ending: BuiltProgram.Ending?
  }
}
