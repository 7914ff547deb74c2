import BoardKit
import EventLoops
import Fleet
import FleetModel
import MetaMotion
import Simulator

/// One board's packets on their way into batches, by the product's own intake, on the radio's loop as in a session.
actor PacketPath {
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private nonisolated let loop: EventLoop
  private let link: SocketLink
  private let driver: any BoardDriver
  private nonisolated(unsafe) let intake: PacketIntake
  private let socket: OpenSocket

  var isOpen: Bool { socket.isOpen }

  /// Every board of the sender, interviewed and with its accelerometer at 100 Hz.
  static func all(
    on loop: EventLoop, timekeeper: HostTimekeeper, shared: SharedIntake
  ) async throws -> [PacketPath] {
    let counters = Counters()
    // As the paths are, confined to the loop.
    nonisolated(unsafe) let shared = shared
    var paths: [PacketPath] = []
    for number in 0..<Sockets.count {
      let open = OpenSocket()
      let link = SocketLink(number: number, loop: loop, timekeeper: timekeeper, closed: { open.end() })
      let path = PacketPath(link, open, loop, timekeeper, counters, shared)
      try await path.begin(at: timekeeper.now)
      paths.append(path)
    }
    return paths
  }

  private init(
    _ link: SocketLink, _ socket: OpenSocket, _ loop: EventLoop, _ timekeeper: HostTimekeeper,
    _ counters: Counters, _ shared: SharedIntake
  ) {
    self.link = link
    self.socket = socket
    self.loop = loop
    let conversation = Conversation(link: link, timekeeper: timekeeper)
    driver = MetaMotionFamily.descriptor.makeDriver(conversation)
    intake = PacketIntake(
      board: link.board, conversation: conversation, driver: driver, counters: counters,
      timekeeper: timekeeper, shared: shared)
  }

  private func begin(at time: Timestamp) async throws {
    await link.open(
      received: { characteristic, packet, arrival in
        _ = self.intake.receive(packet, from: characteristic, at: arrival)
      }, ended: { _ in })
    try await link.subscribe(to: MetaMotionAttributes.notification)
    _ = try await driver.interview(remembering: nil)
    var request = try Demand.acceleration(at: 100)
    request.configuration["live_rate_hz"] = 0
    let applied = try await driver.apply([StreamKey(0): request], button: false)
    var random = SeededGenerator(seed: 1)
    for stream in applied.active {
      intake.open(stream, boot: 1, session: ULID(at: time, using: &random), limits: LaneLimits())
    }
  }

  func flush() { intake.flush() }
}
