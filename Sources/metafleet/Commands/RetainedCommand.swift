import ArgumentParser
import FleetModel

/// `retained audit`.
struct RetainedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retained",
    abstract: "Looks at what the broker retains of the fleet.",
    subcommands: [Audit.self])

  /// Finds retained topics that should not be there.
  struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Finds retained topics that should not be there, and removes them.",
      discussion: """
        Reads all that the broker retains below the base topic, and looks for other base topics beside it. It names: \
        documents of boards that no gateway looks after; documents of a gateway that was renamed, or had another base \
        topic; commands, answers, events and samples that somebody published with the retain flag; documents that are \
        missing or cannot be read; boards that two gateways look after; and topics that this version does not know.

        Without --clean nothing is changed. With it, what is left over is cleared at the broker, for which no gateway is \
        needed, but a broker user who may write there, as gateways may. Missing and unreadable documents are published \
        again by their gateways, and unknown topics are left to whoever made them. Boards whose gateway is not to be seen, \
        perhaps because the broker does not show it to this user, are named and stay. What a gateway that is only offline \
        has said stays: metafleet forget gateway:NAME --gone removes that.

        Examples:
          metafleet retained audit
          metafleet retained audit --clean
          metafleet retained audit --json | jq -r 'select(.removable) | .topics[]'

        Exit status: 0 nothing found, or all of it removed; 1 found, and not removed; 69 no broker; 77 denied.
        """)

    @Flag(help: "Remove what is left over.") var clean = false
    @Flag(help: "One JSON object for each finding.") var json = false
    @OptionGroup var broker: BrokerOptions

    func run() async throws {
      Signals.endAtOnce()
      let status = try await ClientSession.with(try broker.settings()) { session in
        try await RetainedAuditRun(isCleaning: clean, isJSON: json).run(on: session)
      }
      if status != .ok { throw CommandLineFailure(status, "") }
    }
  }
}
