import ArgumentParser
import EventLoops
import FleetModel

/// `demo`: everything on this machine, nothing to configure.
struct Demo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs simulated boards, a broker and the gateway on this machine, and shows them live.",
    discussion: """
      The boards are simulated; everything else is what runs in a building: BlueZ's interface on a D-Bus of its own, \
      a real mosquitto, the same daemon. The first line is the broker's address, the second that of the page, \
      with the token that lets it command the boards; /metrics is beside it. Ctrl-C, or --for, ends it; nothing is \
      left behind. The last line says how many samples were received, published and dropped.

      Beside it:
        mosquitto_sub -t 'metafleet/#' -v
        metafleet boards
        metafleet send "Demo 1" led color=green pattern=blink
        metafleet watch
        mosquitto_pub -t metafleet/simulator/do -m 'press 1 for 200ms'

      The last one presses a button; metafleet simulate --help lists what else can be done to the boards. What became \
      of it goes to metafleet/simulator/done.

      Exit status: 0 when every board came up and nothing was dropped, else 1; 69 when mosquitto or dbus-daemon is not \
      installed, or --port is taken.
      """)

  /// Beside JSON, which the demo always speaks.
  enum FurtherEncoding: String, ExpressibleByArgument, CaseIterable { case lp, cbor }

  /// The port of the page and of `/metrics`.
  private static let usualPagePort = 9_464

  @OptionGroup var simulation: SimulationOptions

  @Option(name: .customLong("for"), help: ArgumentHelp("End after this time.", valueName: "duration"))
  var span: Span?

  @Option(help: ArgumentHelp("The broker's port; else 1883, or the next free one.", valueName: "number"))
  var port: Int?

  @Option(
    help: ArgumentHelp("Publish batches in this encoding, too; may be repeated.", valueName: "lp|cbor"))
  var encoding: [FurtherEncoding] = []

  @Flag(help: "Inject random faults: lost connections, resets, low batteries.") var faults = false
  @Flag(help: "One JSON object per line instead: the broker, the status every five seconds, and the end.")
  var json = false

  func validate() throws {
    if let port, !(1...65_535).contains(port) { throw ValidationError("--port must be from 1 to 65535") }
  }

  func run() async throws {
    var plan = try simulation.plan(hasRandomFaults: faults)
    try simulation.play(on: &plan)
    let fleet = plan
    let encodings = Set(encoding.compactMap { SampleEncoding(rawValue: $0.rawValue) } + [.json])
    let loop = try EventLoop.named("demo")
    let requests = try Signals.requests(on: loop)
    let (seen, tally) = try await MosquittoDaemon.start(port: port, on: loop).use { broker in
      let address = "mqtt://127.0.0.1:\(broker.port)"
      let page = LocalPort.firstFree(from: Self.usualPagePort)
      try Console.line(json ? JSONText.of(["broker": .string(address)]) : address)
      let token = Self.newToken()
      if let page {
        // Behind the number sign: a browser keeps it to itself.
        let place = "http://127.0.0.1:\(page)/#token=\(token)"
        try Console.line(json ? JSONText.of(["page": .string(place)]) : place)
      }
      if let span { loop.schedule(after: span.duration) { Signals.askForEnd() } }
      return try await PrivateBusDaemon.start(on: loop).use { bus in
        try await fleet.serve(on: bus.address).use { bluez in
          let console = SimulatorConsole(fleet: bluez, boards: fleet.addresses)
          return try await ScratchDirectory.make("metafleet-demo", on: loop).use { directory in
            let text = DemoConfiguration.text(
              fleet: fleet, port: broker.port, httpPort: page, token: try directory.write(token, to: "token"),
              directory: "\(directory.path)/state",
              index: directory.path, encodings: encodings)
            _ = try directory.write(SampleIndex.text, to: FirmwareIndexFetcher.indexName)
            for (path, content) in SampleIndex.packages {
              try WholeFile.write(content, to: "\(directory.path)/\(path)")
            }
            let file = ConfigurationFile(path: try directory.write(text, to: "metafleet.yaml"))
            let gateway = try DemoGateway(file: file, bus: bus.address, json: json, simulator: console)
            return try await gateway.run(boards: fleet.models.count, address: address, until: requests)
          }
        }
      }
    }
    try Console.line(json ? JSONText.of(.object(tally.json)) : "\(tally)")
    if !seen.isComplete || tally.dropped > 0 { throw CommandLineFailure(.no, "") }
  }

  /// Nobody has seen it before.
  private static func newToken() -> String {
    var random = SystemRandomNumberGenerator()
    return Hex.string((0..<16).map { _ in random.next() as UInt8 })
  }
}
