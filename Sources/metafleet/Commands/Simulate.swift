import ArgumentParser
import DBus
import EventLoops
import FleetModel
import Simulator

/// `simulate`: boards without hardware, behind an `org.bluez` service.
struct Simulate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves simulated boards as an org.bluez service on a bus.",
    discussion: """
      Without --bus a private bus is started; its address is the first line of output, as \
      DBUS_SYSTEM_BUS_ADDRESS=<address>, printed when the boards are there. Programs that use BlueZ meet the boards \
      when that variable is set:
        metafleet simulate --boards 20 > bus.env &
        env $(cat bus.env) metafleet scan

      Board n has the address C0:FF:EE:00: and n as four hex digits. With --adapters there are hci0, hci1 and so on, \
      with the addresses 00:AA:01:00:00:00, 00:AA:01:00:00:01 and so on; each receives every board with a signal \
      strength of its own. Ends with SIGTERM or Ctrl-C, and the bus with it; \
      the end of standard input ends nothing.

      What boards' logs do where no source says it can be chosen with --logs, commas between:
      \(SimulationPlan.logHelp)

      A board that is made to jump (FE 02) serves Nordic's legacy DFU as MetaBoot. What its bootloader is like can be \
      chosen with --bootloader, commas between:
      \(SimulationPlan.bootloaderHelp)

      \(FaultHelp.text)

      With --mqtt such lines also come from a broker, on the topic metafleet/simulator/do, and what became of each goes \
      to metafleet/simulator/done:
        mosquitto_pub -t metafleet/simulator/do -m 'press 1 for 200ms'
      """)

  @OptionGroup var simulation: SimulationOptions

  @Option(help: ArgumentHelp("How many Bluetooth adapters, 1 to 8.", valueName: "number"))
  var adapters = 1

  @Option(help: ArgumentHelp("Serve on this bus instead of a private one.", valueName: "address"))
  var bus: String?

  @Option(
    help: ArgumentHelp(
      "Write what happens to every log entry of the boards to this file, which is begun anew, for tests that count them.",
      valueName: "file"))
  var ledger: String?

  @Option(
    help: ArgumentHelp(
      "Write what the boards measure and do, and what is done to them, to this file, which is begun anew, as JSON Lines.",
      valueName: "file"))
  var recording: String?

  @Option(
    help: ArgumentHelp(
      "How the boards' logs behave where the real boards are not documented; see above.", valueName: "list"))
  var logs = ""

  @Option(
    help: ArgumentHelp(
      "What the boards' bootloaders are like where the real boards are not documented; see above.",
      valueName: "list"))
  var bootloader = ""

  @Flag(help: "One JSON object per line: the bus and the boards, then what is done to them, when it happens.")
  var json = false

  @Flag(help: "Take lines from the topic simulator/do of a broker, too; see above.") var mqtt = false

  @OptionGroup(title: "The broker of --mqtt") var broker: BrokerOptions

  func run() async throws {
    var fleet = try simulation.plan()
    try fleet.use(adapters: adapters)
    try fleet.choose(logs: logs)
    try fleet.choose(bootloader: bootloader)
    let (lines, line) = AsyncStream<String>.makeStream()
    try keep(in: &fleet) { line.yield(JSONText.of(.object($0))) }
    try simulation.play(on: &fleet)
    let uplink = try mqtt ? broker.settings() : nil
    let loop = try EventLoop.named("radio")
    let requests = try Signals.requests(on: loop)
    if let bus {
      try await serve(
        fleet, on: DBusAddress(bus), isPrivate: false, hearing: uplink, telling: lines, loop, until: requests)
    } else {
      try await PrivateBusDaemon.start(on: loop).use { bus in
        try await serve(
          fleet, on: bus.address, isPrivate: true, hearing: uplink, telling: lines, loop, until: requests)
      }
    }
  }

  /// Has what the options name written down; with --json each order that is carried out is said.
  private func keep(
    in fleet: inout SimulationPlan, saying say: @escaping @Sendable (JSONObject) -> Void
  ) throws(CommandLineFailure) {
    var files: (ledger: LedgerFile?, recording: LedgerFile?)
    if let ledger { files.ledger = try LedgerFile(ledger) }
    if let recording { files.recording = try LedgerFile(recording, called: "the recording") }
    let isSaid = json
    fleet.keep(ledger: files.ledger, recording: files.recording) { order, time in
      if isSaid { say(SimulationRecord.object(order, at: time)) }
    }
  }

  /// What ended the simulation.
  private enum End: Sendable {
    /// Somebody by a signal.
    case asked
    /// The bus went away.
    case bus(DBusFailure?)
  }

  private func serve(
    _ fleet: SimulationPlan, on address: DBusAddress, isPrivate: Bool, hearing broker: UplinkConfiguration?,
    telling lines: AsyncStream<String>, _ loop: EventLoop, until requests: AsyncStream<Int32>
  ) async throws {
    let (busEnds, busEnded) = AsyncStream<DBusFailure>.makeStream()
    let bluez = try await fleet.serve(on: address) { busEnded.yield($0) }
    let failure = try await bluez.use { bluez in
      if json {
        try Console.line(JSONText.of(.object(fleet.object(bus: "\(address)"))))
      } else if isPrivate {
        try Console.line("DBUS_SYSTEM_BUS_ADDRESS=\(address)")
      }
      Console.note("\(CountText.of(fleet.models.count, "board")) on \(address); Ctrl-C stops them")
      let console = SimulatorConsole(fleet: bluez, boards: fleet.addresses)
      return try await withThrowingTaskGroup(of: End?.self) { group in
        group.addTask {
          for await line in lines { try Console.line(line) }
          return nil
        }
        group.addTask {
          await console.obey(StandardInput.lines(on: loop))
          return nil
        }
        if let broker {
          group.addTask {
            try await console.listen(to: broker)
            return nil
          }
        }
        group.addTask {
          await First.of {
            _ = await First.value(of: requests)
            return End.asked
          } or: {
            End.bus(await First.value(of: busEnds))
          }
        }
        defer { group.cancelAll() }
        // The end of standard input ends nothing; a broker that cannot be used ends all.
        while let end = try await group.next() {
          if case .bus(let failure) = end { return failure }
          if end != nil { break }
        }
        return nil
      }
    }
    if let failure { throw BusFailure.explain(failure, bus: address) }
  }
}
