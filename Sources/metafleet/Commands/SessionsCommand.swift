import ArgumentParser
import FleetModel

/// `sessions list|delete`.
struct SessionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions",
    abstract: "Lists what boards logged and streamed, or deletes it.",
    discussion: """
      Without a command of its own it lists: metafleet sessions "Pump 3" is metafleet sessions list "Pump 3".
      """,
    subcommands: [Sessions.self, Delete.self], defaultSubcommand: Sessions.self)

  /// Deletes sessions.
  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Deletes sessions from a gateway's archive: some, those of boards, or all.",
      discussion: """
        Asks the gateway, which must run, over the broker. It shows what would go, and then asks twice; scripts write \
        --yes. Nobody can bring back what is deleted; what was published stays wherever it went. The request stands in \
        the audit trail.

        A log stays as long as its board may still hold entries of it, for these would come again: download and clear it \
        first. It also stays while the broker does not have all of it, unless --undelivered says that it may go. Sessions \
        that are named by their ids go all or none; of boards, and with --all, those go that can. What is streamed \
        (storage.streams) may go at any time; of a stream that runs the next samples are kept anew.

        Examples:
          metafleet sessions delete 01JDB91TAS
          metafleet sessions delete "Pump 3" --kind stream
          metafleet sessions delete --all --before 30d --yes

        Exit status: 0 deleted, or there was nothing; 1 refused, with the reason, or not confirmed; 3 it may have \
        happened; 64 no such board, or --gateway is needed; 69 no broker, or the gateway is offline; 75 busy, or no \
        answer; 77 denied.
        """)

    @Argument(
      help: "Sessions by id or its beginning, boards by name or id.", completion: FleetCompletion.boards)
    var what: [String] = []
    @Flag(help: "Every session there is.") var all = false
    @Option(
      help: ArgumentHelp(
        "Only what was logged, or only what was streamed and kept.", valueName: "log|stream"),
      completion: .list(SessionKind.allCases.map(\.rawValue)), transform: SessionKind.parsed)
    var kind: SessionKind?
    @Option(
      help: ArgumentHelp("Only what began before: 7d ago, or 2026-11-20, in UTC.", valueName: "time"))
    var before: Since?
    @Flag(help: "Also logs of which the broker does not have everything.") var undelivered = false
    @Flag(help: "Do not ask.") var yes = false
    @OptionGroup var options: GatewayOptions

    private var choice: SessionDeletionChoice {
      SessionDeletionChoice(
        words: what, isForAll: all, kind: kind, before: before?.time(now: .system), undelivered: undelivered)
    }

    func validate() throws {
      if let fault = choice.fault { throw ValidationError(fault) }
    }

    func run() async throws {
      Signals.endAtOnce()
      let status = try await ClientSession.with(try options.broker.settings()) { [self] session in
        let fleet = try await session.fleet()
        let gateway = try GatewayChoice(fleet: fleet).resolve(
          named: options.gateway, for: choice.board(in: fleet))
        let removal = SessionRemoval(
          choice: choice, gateway: gateway, isConfirmed: yes, json: options.json)
        return try await removal.run(on: session, in: fleet)
      }
      if status != .ok { throw CommandLineFailure(status, "") }
    }
  }
}
