import Dialects
import FleetModel
import EventLoops
import Mosquitto

/// Tells the sink that nothing more will come.
enum Finale {
  static func play(port: UInt16) async throws {
    let broker = MosquittoBroker(
      MosquittoConfiguration(host: "127.0.0.1", port: port, clientID: "finale", sessionEnd: .withConnection),
      on: try EventLoop(name: "finale"))
    _ = try await broker.connect(will: nil, protocolVersion: .mqtt5)
    await broker.publish([(MQTTMessage(topic: "bench/end", payload: [1]), 1)])
    await broker.disconnect(within: .seconds(5))
  }
}
