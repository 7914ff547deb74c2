import ArgumentParser
import BlueZ
import BoardKit
import DBus
import Dialects
import EventLoops
import FleetModel
import MetaMotion

/// `scan`: what is in range.
struct Scan: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the boards in range of this computer.",
    discussion: """
      Listens through BlueZ on this computer, on the bus that DBUS_SYSTEM_BUS_ADDRESS names, else the system's. Boards \
      that this computer is connected to do not advertise and are listed as connected; those that a gateway here has \
      received already are listed as well. If a broker can be reached, it tells which boards are admitted, and which \
      gateway has them.

      A board becomes admitted by being listed in the configuration, or with
        metafleet admit <address> --name <name> --profile <profile>

      Examples:
        metafleet scan --for 30s
        metafleet scan --json | jq -r 'select(.admitted == false) | .board'

      Exit status: 0 scanned, also when there were no boards; 69 no Bluetooth, no bus, or no access to it.
      """)

  @Option(name: .customLong("for"), help: ArgumentHelp("How long to scan.", valueName: "duration"))
  var span = Span(.seconds(10))

  @Flag(help: "Also devices that are not MetaMotion boards.") var all = false
  @Flag(help: "One JSON object per device.") var json = false
  @OptionGroup var broker: BrokerOptions

  /// Nobody waits long for a broker that is only asked for names.
  private static let brokerTimeout = Duration.seconds(2)

  func run() async throws {
    Signals.endAtOnce()
    var settings = try broker.settings()
    settings.connectTimeout = min(settings.connectTimeout, Self.brokerTimeout)
    let known = settings
    async let asking = Self.fleet(known)
    let result = try await Self.listen(isEverything: all, span: span.duration)
    let fleet = await asking
    if fleet == nil { Console.note("no broker at \(known.host): it is not known which boards are admitted") }
    if json {
      for object in result.objects(fleet) { try Console.line(JSONText.of(.object(object))) }
      return
    }
    for line in result.table(fleet).lines(width: Console.width, isColoured: Console.hasColours) {
      try Console.line(line)
    }
    if result.count == 0 {
      Console.note("no board was received, and none is connected here; are they charged and near?")
    }
  }

  private static func fleet(_ settings: UplinkConfiguration) async -> FleetView? {
    try? await ClientSession.with(settings) { try await $0.fleet() }
  }

  /// Receives what there is for so long.
  static func listen(isEverything: Bool, span: Duration) async throws -> ScanResult {
    let family = MetaMotionFamily.descriptor
    let loop = try EventLoop.named("radio")
    let radio = BlueZRadio(
      BlueZSetup(services: family.advertisedServices, characteristics: [Set(family.notifications)]), on: loop,
      timekeeper: SystemTimekeeper(wakingOn: loop))
    // Real boards do not always advertise their service, so everything is heard and sorted here.
    await radio.discover(true, unfiltered: true)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await radio.run() }
      defer { group.cancelAll() }
      return try await ScanListening(
        result: ScanResult(family: family, isEverything: isEverything), span: span
      )
      .run(on: radio, loop, begun: { Console.note("scanning for \(DurationText.format(span)) …") }) {
        await radio.presentDevices
      }
    }
  }
}
