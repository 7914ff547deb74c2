import BlueZ
import Dialects
import EventLoops
import Fleet
import FleetModel
import Mosquitto

/// Hands over what the boards have finished, ten times a second, until their sockets end.
actor PacketLanes {
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private nonisolated let loop: EventLoop
  private let paths: [PacketPath]
  private nonisolated(unsafe) let shared: SharedIntake
  private let timekeeper: HostTimekeeper
  private let broker: MosquittoBroker
  private let dialect = PlainDialect(topics: TopicTree(base: "bench", gateway: "bench"))
  private(set) var samples = 0

  init(
    loop: EventLoop, paths: [PacketPath], shared: SharedIntake, timekeeper: HostTimekeeper,
    broker: MosquittoBroker
  ) {
    self.loop = loop
    self.paths = paths
    self.shared = shared
    self.timekeeper = timekeeper
    self.broker = broker
  }

  func run() async throws {
    var isOpen = true
    while isOpen {
      try await BlueZRadio.pause(for: .milliseconds(100), on: loop)
      isOpen = paths.contains { isRunning($0) }
      await broker.publish(finished(force: !isOpen).flatMap { messages(for: $0) })
    }
  }

  private func isRunning(_ path: PacketPath) -> Bool { path.assumeIsolated { $0.isOpen } }

  private func finished(force: Bool) -> [FleetEvent] {
    if force { for path in paths { path.assumeIsolated { $0.flush() } } }
    return shared.takeFinished(at: timekeeper.uptime)
  }

  private func messages(for event: FleetEvent) -> [(message: MQTTMessage, token: UInt64)] {
    dialect.messages(for: event).map { outgoing in
      samples += outgoing.samples
      var message = outgoing.message
      message.qualityOfService = .atMostOnce
      return (message, 0)
    }
  }
}
