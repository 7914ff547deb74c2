import Dialects
import FleetModel
import EventLoops
import Mosquitto

/// Messages of 120 bytes with QoS 1 through the product's broker, a hundred under way.
struct PublishProgram {
  let port: UInt16
  let messages: Int
  private static let window = 100

  func run() async throws {
    let broker = MosquittoBroker(
      MosquittoConfiguration(host: "127.0.0.1", port: port, clientID: "publish", sessionEnd: .withConnection),
      on: try EventLoop(name: "broker"))
    _ = try await broker.connect(will: nil, protocolVersion: .mqtt5)
    let payload = [UInt8](repeating: UInt8(ascii: "x"), count: 120)
    let topics = (0..<100).map { "bench/\($0)" }
    let bill = Bill()
    var (sent, acknowledged) = (0, 0)
    var events = broker.events.makeAsyncIterator()
    while acknowledged < messages {
      // Half a window at a time, as an outbox hands over what its window has room for.
      if sent < messages, sent - acknowledged <= Self.window / 2 {
        let count = min(Self.window - (sent - acknowledged), messages - sent)
        await broker.publish(
          (sent..<sent + count).map {
            (MQTTMessage(topic: topics[$0 % 100], payload: payload), UInt64($0 + 1))
          })
        sent += count
      }
      guard let event = await events.next() else { break }
      if case .acknowledged(let answers) = event { acknowledged += answers.count { $0.failure == nil } }
    }
    Bill.report(["messages": Double(acknowledged), "cpu_s": bill.used])
    await broker.disconnect(within: .seconds(5))
  }
}
