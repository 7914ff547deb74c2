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
      "How the boards' logs behave where the real boards are not documented; see above.", valueName: "list"))
  var logs = ""

  @Option(
    help: ArgumentHelp(
      "What the boards' bootloaders are like where the real boards are not documented; see above.",
      valueName: "list"))
  var bootloader = ""

  @Option(help: ArgumentHelp("Faults and when they happen, a line for each; see above.", valueName: "file"))
  var script: String?

  func run() async throws {
    var fleet = try simulation.plan()
    try fleet.use(adapters: adapters)
    try fleet.choose(logs: logs)
    try fleet.choose(bootloader: bootloader)
    if let ledger { fleet.keep(try LedgerFile(ledger)) }
    if let script { fleet.faults = try FaultFile.read(script, boards: fleet.addresses) }
    let loop = try EventLoop.named("radio")
    let requests = try Signals.requests(on: loop)
    if let bus {
      try await serve(fleet, on: DBusAddress(bus), isPrivate: false, loop, until: requests)
    } else {
      try await PrivateBusDaemon.start(on: loop).use { bus in
        try await serve(fleet, on: bus.address, isPrivate: true, loop, until: requests)
      }
    }
  }

  private func serve(
    _ fleet: SimulationPlan, on address: DBusAddress, isPrivate: Bool, _ loop: EventLoop,
    until requests: AsyncStream<Int32>
  ) async throws {
    let (busEnds, busEnded) = AsyncStream<DBusFailure>.makeStream()
    let bluez = try await fleet.serve(on: address) { busEnded.yield($0) }
    let failure = try await bluez.use { bluez in
      if isPrivate { try Console.line("DBUS_SYSTEM_BUS_ADDRESS=\(address)") }
      Console.note("\(CountText.of(fleet.models.count, "board")) on \(address); Ctrl-C stops them")
      let console = FaultConsole(fleet: bluez, boards: fleet.addresses)
      return await withTaskGroup(of: Void.self) { group in
        group.addTask { await console.obey(StandardInput.lines(on: loop)) }
        defer { group.cancelAll() }
        return await First.of {
          _ = await First.value(of: requests)
          return nil
        } or: {
          await First.value(of: busEnds)
        }
      }
    }
    if let failure { throw BusFailure.explain(failure, bus: address) }
  }
}
