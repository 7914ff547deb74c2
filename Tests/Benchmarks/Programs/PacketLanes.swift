import BlueZ
import Dialects
import EventLoops
import FleetModel
import Mosquitto

/// Hands over what the boards have finished, ten times a second, until their sockets end.
actor PacketLanes {
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private nonisolated let loop: EventLoop
  private let paths: [PacketPath]
  private let broker: MosquittoBroker
  private let dialect = PlainDialect(topics: TopicTree(base: "bench", gateway: "bench"))
  private(set) var samples = 0

  init(loop: EventLoop, paths: [PacketPath], broker: MosquittoBroker) {
    self.loop = loop
    self.paths = paths
    self.broker = broker
  }

  func run() async throws {
    var isOpen = true
    while isOpen {
      try await BlueZRadio.pause(for: .milliseconds(100), on: loop)
      isOpen = paths.contains { isRunning($0) }
      await broker.publish(paths.flatMap { messages(of: $0, force: !isOpen) })
    }
  }

  private func isRunning(_ path: PacketPath) -> Bool { path.assumeIsolated { $0.isOpen } }

  private func messages(of path: PacketPath, force: Bool) -> [(message: MQTTMessage, token: UInt64)] {
    let events = path.assumeIsolated { $0.takeFinished(force: force) }
    return events.flatMap { event in
      dialect.messages(for: event).map { outgoing -> (message: MQTTMessage, token: UInt64) in
        samples += outgoing.samples
        var message = outgoing.message
        message.qualityOfService = .atMostOnce
        return (message, 0)
      }
    }
  }
}
