import ArgumentParser
import FleetModel

/// `admit`: adds a board to a gateway.
struct Admit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Admits a board, or changes an admitted one.",
    discussion: """
      Asks the gateway over the broker, which keeps what is admitted across restarts. A board that the configuration \
      file lists is refused: change it there, then reload. metafleet scan shows the addresses of the boards in range.

      Examples:
        metafleet admit E5:A1:C2:D3:F4:B6 --name "Pump 3" --profile vibration
        metafleet admit e5a1c2d3f4b6 --group pumps --group east --label room=3.14
        metafleet admit e5a1c2d3f4b6 --gateway floor-3
        metafleet admit "Pump 3" --disabled

      Exit status: 0 admitted; 1 refused, with the reason; 3 it may have happened; 64 no such board, or --gateway is \
      needed; 69 no broker, or the gateway is offline; 75 busy, or no answer; 77 denied.
      """)

  @Argument(help: "Address or id; of an admitted board also its name or a unique beginning.") var board:
    String
  @Option(help: "Name for people.") var name: String?
  @Option(help: "Its site.") var site: String?
  @Option(help: "A profile of the gateway's configuration.", completion: FleetCompletion.profiles)
  var profile: String?
  @Option(
    help: ArgumentHelp("A group it belongs to; may be given again.", valueName: "name"),
    completion: FleetCompletion.groups)
  var group: [String] = []
  @Option(help: ArgumentHelp("A label; may be given again.", valueName: "key=value")) var label: [String] = []
  @Flag(help: "Whether the gateway connects to it; it does by default.") var connecting: Connecting?
  @OptionGroup var options: GatewayOptions

  enum Connecting: String, EnumerableFlag { case enabled, disabled }

  func run() async throws {
    Signals.endAtOnce()
    let details = try AdmissionArguments.details(
      name: name, site: site, profile: profile, groups: group, labels: label,
      isEnabled: connecting.map { $0 == .enabled })
    try await options.send("admit") { fleet throws(CommandLineFailure) in
      let id = try TargetResolution(fleet: fleet).board(board)
      return (["board": .string(id.description)] as JSONObject).merging(details)
    }
  }
}
