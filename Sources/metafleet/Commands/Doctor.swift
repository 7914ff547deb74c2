import ArgumentParser
import DBus
import FleetModel
import Foundation

/// `doctor`: what is wrong with the surroundings of a gateway.
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks everything a gateway needs, and says in one line each what is wrong and what helps.",
    discussion: """
      Before there is a configuration, and while the gateway runs: the configuration and its directories, database, disk, \
      clock; the bus, bluetoothd, adapters, radio switches, the recovery helper; name, port, TLS, login and topics of the \
      broker; what is left over there; whether the gateway runs, and which version.

      Looks, and changes nothing; of the broker it asks what the gateway may do by messages without content to a board \
      that does not exist. Without root some of it cannot be checked, which is said. The broker is that of the \
      configuration file, or of the options.

      Examples:
        sudo metafleet doctor
        metafleet doctor --json | jq -r 'select(.verdict == "broken") | .fix'

      Exit status: 0 nothing is broken; 1 something is.
      """)

  @Option(help: ArgumentHelp("Where sysfs is; for tries against a copy of it.", valueName: "directory"))
  var sysfs = "/sys"
  @Flag(help: "One JSON object per check: check, verdict, text, fix.") var json = false
  @OptionGroup var broker: BrokerOptions

  func run() async throws {
    Signals.endAtOnce()
    let environment = ProcessInfo.processInfo.environment
    let inspection = ConfigurationInspection(broker.file.place, environment: environment)
    let configuration = inspection.configuration
    let computer = ComputerInspection(sysfs: sysfs).look(at: inspection, environment: environment)
    let homeAssistant = configuration.consumers.homeAssistant
    let bluetooth = BluetoothInspection(
      address: .system, wanted: configuration.bluetooth.adapters?.map(\.address.colonSeparated))
    let uplink = BrokerInspection(
      settings: try broker.laid(over: configuration.mqtt),
      gateway: inspection.isThere ? configuration.gateway.id : nil,
      homeAssistant: homeAssistant.isAnnounced ? homeAssistant.prefix : nil)
    async let radio = bluetooth.look()
    async let messages = uplink.look()
    let report = DoctorReport(
      diagnoses: ComputerChecks.judge(computer) + BluetoothChecks.judge(try await radio)
        + BrokerChecks.judge(try await messages))
    if json {
      for diagnosis in report.diagnoses { try Console.line(JSONText.of(.object(diagnosis.json))) }
    } else {
      for line in report.lines { try Console.line(line) }
    }
    if report.status != .ok { throw CommandLineFailure(report.status, "") }
  }
}
