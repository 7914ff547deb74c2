import BlueZ
import EventLoops
import Fleet
import FleetModel
import Logging
import MetaMotion
import Mosquitto
import Storage

/// The whole gateway: sessions, capped live lane, record batches through the outbox with `synchronous=FULL`, QoS 1.
struct DurableProgram {
  let port: UInt16
  let directory: String

  func run() async throws {
    let (radioLoop, brokerLoop, diskLoop) = (
      try EventLoop(name: "radio"), try EventLoop(name: "broker"), try EventLoop(name: "disk")
    )
    radioLoop.coalesce(BlueZRadio.longestPause, shortest: BlueZRadio.shortestPause)
    let timekeeper = HostTimekeeper(wakingOn: brokerLoop)
    let store = try Store(directory: directory, executor: diskLoop)
    let (starts, start) = AsyncStream<Void>.makeStream()
    let (ends, end) = AsyncStream<Void>.makeStream()
    let radio = SocketRadio(
      boards: Sockets.count, loop: radioLoop, timekeeper: timekeeper, running: { start.yield() },
      ended: { end.yield() })
    let broker = MosquittoBroker(
      MosquittoConfiguration(host: "127.0.0.1", port: port, clientID: "durable"), on: brokerLoop)
    let gateway = Gateway(
      configuration: try configuration(),
      environment: GatewayEnvironment(
        radio: radio, family: MetaMotionFamily.descriptor, broker: broker, store: store,
        timekeeper: timekeeper, seed: 1,
        host: HostFacts(version: "benchmark", name: "benchmark", operatingSystem: "Linux", measure: { [:] }),
        reload: { () async throws(CommandFailure) in throw .invalid("no file") },
        log: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await gateway.run() }
      await Self.count(starts, to: Sockets.count)
      try await Self.waitUntilEmpty(store, by: timekeeper)
      let counters = gateway.counters
      let before = counters.value(of: .samplesIn)
      let bill = Bill()
      Sockets.begin()
      await Self.count(ends, to: Sockets.count)
      // Batches still open, the last commit and its acknowledgements.
      while counters.value(of: .samplesPublished) + counters.value(of: .samplesDropped)
        < counters.value(of: .samplesIn), bill.wall < 120
      {
        try await timekeeper.sleep(for: .milliseconds(50))
      }
      Bill.report([
        "cpu_s": bill.used, "wall_s": bill.wall, "samples": Double(counters.value(of: .samplesIn) - before),
        "published": Double(counters.value(of: .samplesPublished) - before),
        "resident": Double(Bill.resident),
      ])
      await gateway.stop()
      try await Finale.play(port: port)
      group.cancelAll()
    }
  }

  /// Until all that is told at the start has left: it is paid once, not per sample.
  private static func waitUntilEmpty(_ store: Store, by timekeeper: HostTimekeeper) async throws {
    repeat {
      try await timekeeper.sleep(for: .seconds(2))
    } while try await store.outbox.statistics().waiting.messages > 0
  }

  private static func count(_ news: AsyncStream<Void>, to limit: Int) async {
    var left = limit
    guard left > 0 else { return }
    for await _ in news {
      left -= 1
      if left == 0 { return }
    }
  }

  private func configuration() throws -> FleetConfiguration {
    var configuration = FleetConfiguration()
    configuration.gateway = GatewayIdentity(id: "bench", site: nil)
    configuration.mqtt.base = "bench"
    configuration.bluetooth.maximumLinksPerAdapter = 1024
    var profile = Profile()
    profile.streams = ["acceleration": try Demand.acceleration(at: 100)]
    configuration.profiles["bench"] = profile
    configuration.boards = (0..<Sockets.count).map { number in
      var board = BoardConfiguration(board: SocketRadio.board(number))
      board.profile = "bench"
      return board
    }
    return configuration
  }
}
