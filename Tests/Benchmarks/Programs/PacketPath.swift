import BoardKit
import EventLoops
import Fleet
import FleetModel
import MetaMotion
import Simulator

/// One board's packets on their way into batches, on the radio's loop as a session is.
actor PacketPath {
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private nonisolated let loop: EventLoop
  private let link: SocketLink
  private let timekeeper: HostTimekeeper
  private let conversation: Conversation
  private let driver: any BoardDriver
  @exclusivity(unchecked) private var decoded = DecodedPackets()
  @exclusivity(unchecked) private var lane: RecordLane
  @exclusivity(unchecked) private var finished: [SampleBatch] = []
  private let socket: OpenSocket

  var isOpen: Bool { socket.isOpen }

  /// Every board of the sender, interviewed and with its accelerometer at 100 Hz.
  static func all(on loop: EventLoop, timekeeper: HostTimekeeper) async throws -> [PacketPath] {
    var paths: [PacketPath] = []
    for number in 0..<Sockets.count {
      let open = OpenSocket()
      let link = SocketLink(number: number, loop: loop, timekeeper: timekeeper, closed: { open.end() })
      let path = PacketPath(link, open, loop, timekeeper)
      try await path.begin()
      paths.append(path)
    }
    return paths
  }

  private init(_ link: SocketLink, _ socket: OpenSocket, _ loop: EventLoop, _ timekeeper: HostTimekeeper) {
    self.link = link
    self.socket = socket
    self.loop = loop
    self.timekeeper = timekeeper
    conversation = Conversation(link: link, timekeeper: timekeeper)
    driver = MetaMotionFamily.descriptor.makeDriver(conversation)
    var random = SeededGenerator(seed: 1)
    lane = RecordLane(
      board: link.board, stream: "acceleration", fields: StreamCatalogue.find("acceleration")?.0.fields ?? [],
      session: ULID(at: timekeeper.now, using: &random), boot: 1,
      clock: ClockQuality(source: .arrival, errorMilliseconds: 100),
      configuration: [:], limits: LaneLimits())
  }

  private func begin() async throws {
    await link.open(
      received: { characteristic, packet, arrival in
        self.assumeIsolated { $0.received(packet, from: characteristic, at: arrival) }
      }, ended: { _ in })
    try await link.subscribe(to: MetaMotionAttributes.notification)
    _ = try await driver.interview(remembering: nil)
    _ = try await driver.apply([StreamKey(0): try Demand.acceleration(at: 100)], button: false)
  }

  private func received(_ packet: RawSpan, from characteristic: Characteristic, at arrival: Timestamp) {
    if conversation.offer(packet) { return }
    // Taken out, so that nothing is counted while it is looked at.
    var decoded = DecodedPackets()
    swap(&decoded, &self.decoded)
    defer { swap(&decoded, &self.decoded) }
    decoded.removeAll()
    _ = driver.decode(packet, from: characteristic, at: arrival, into: &decoded)
    let uptime = timekeeper.uptime
    let entries = decoded.readings.entries.span
    let values = decoded.readings.values.span
    for index in entries.indices {
      let entry = entries[index]
      if let batch = lane.takeFull(before: entry.time) { finished.append(batch) }
      _ = lane.append(at: entry.time, values.extracting(entry.values), uptime: uptime)
    }
  }

  func takeFinished(force: Bool) -> [SampleBatch] {
    if let batch = lane.flush(at: timekeeper.uptime, force: force) { finished.append(batch) }
    defer { finished.removeAll(keepingCapacity: true) }
    return finished
  }
}
