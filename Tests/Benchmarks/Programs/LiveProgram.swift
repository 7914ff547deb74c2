import BlueZ
import Dialects
import EventLoops
import Fleet
import Mosquitto

/// Notification descriptors → decode → JSON → QoS 0, with the product's parts and without its durable lane.
struct LiveProgram {
  let port: UInt16

  func run() async throws {
    let radioLoop = try EventLoop(name: "radio")
    let brokerLoop = try EventLoop(name: "broker")
    radioLoop.coalesce(BlueZRadio.longestPause, shortest: BlueZRadio.shortestPause)
    let broker = MosquittoBroker(
      MosquittoConfiguration(host: "127.0.0.1", port: port, clientID: "live"), on: brokerLoop)
    _ = try await broker.connect(will: nil, protocolVersion: .mqtt5)
    let timekeeper = HostTimekeeper(wakingOn: brokerLoop)
    let shared = SharedIntake()
    let paths = try await PacketPath.all(on: radioLoop, timekeeper: timekeeper, shared: shared)
    let lanes = PacketLanes(
      loop: radioLoop, paths: paths, shared: shared, timekeeper: timekeeper, broker: broker)
    let bill = Bill()
    Sockets.begin()
    try await lanes.run()
    let (used, wall) = (bill.used, bill.wall)
    let samples = Double(await lanes.samples)
    await broker.disconnect(within: .seconds(5))
    try await Finale.play(port: port)
    Bill.report(["cpu_s": used, "wall_s": wall, "samples": samples, "published": samples])
  }
}
