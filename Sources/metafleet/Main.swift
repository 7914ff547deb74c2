import ArgumentParser
import FleetModel
import Storage

/// The one program: the daemon, its simulated boards, and the clients that talk to it over the broker.
@main
struct MetaFleet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metafleet",
    abstract: "Manages many MetaMotion sensor boards over Bluetooth and speaks MQTT about them.",
    discussion: """
      Try it, with nothing to set up (simulated boards, a broker, a live table):
        metafleet demo

      Try one real board, with nothing to set up, either:
        metafleet try

      Use it:
        metafleet setup                             # three questions, and a configuration file
        metafleet doctor                            # what is missing on this computer, or at the broker
        metafleet config example > metafleet.yaml   # every key; list your boards at its end
        metafleet config check --config metafleet.yaml
        metafleet run --config metafleet.yaml       # the daemon
        metafleet admit E5:A1:C2:D3:F4:B6           # one more board
        metafleet boards                            # how the boards are
        metafleet top                               # the whole fleet, live
        metafleet explain "Pump 3"                  # why data are received, or not
        metafleet send "Pump 3" led color=green     # a command, and its answer
        metafleet verbs led                         # what a command takes
        metafleet rollout pumps --version 1.7.3 --dry-run   # new firmware for a group, and who cannot have it
        metafleet events --since 1d                 # what happened, when
        metafleet audit --since 1d                  # who sent which command, when
        metafleet record "Pump 3" --output pump3.csv  # every sample, as it comes
        metafleet sessions                          # what boards logged and streamed
        metafleet export "Pump 3" --output pump3.csv
        metafleet verify                            # whether all of it arrived

      The client commands (scan, boards, board, admit, forget, retained, send, rollout, watch, record, top, explain) talk to the broker that --host, --port, --tls, --ca, \
      --username and --password-file name; else METAFLEET_MQTT_HOST, METAFLEET_MQTT_PORT, METAFLEET_MQTT_TLS, METAFLEET_MQTT_CA, \
      METAFLEET_MQTT_USERNAME and METAFLEET_MQTT_PASSWORD_FILE or METAFLEET_MQTT_PASSWORD; else a file for clients \
      (metafleet config example --client) or the configuration file; else localhost:1883.

      events, audit, sessions, export and verify read the state directory that the configuration file names, and need no daemon.

      The configuration file is the one of --config; else METAFLEET_CONFIG; else \
      $XDG_CONFIG_HOME/metafleet/metafleet.yaml; else /etc/metafleet/metafleet.yaml.

      DBUS_SYSTEM_BUS_ADDRESS names the bus that BlueZ is on. NO_COLOR turns colours off; \
      there are none in a pipe. --json prints one object per line.

      Exit status: 0 done; 1 the answer is no; 3 unknown; 64 usage; 69 broker, bus or program not there; 70 internal \
      fault; 73 state directory taken; 75 try later; 77 not allowed; 78 configuration.
      """,
    version: Version.full,
    subcommands: [
      Demo.self, Run.self, Scan.self, Try.self, Setup.self, Doctor.self, Boards.self, BoardCommand.self,
      Admit.self, Forget.self, RetainedCommand.self,
      Send.self,
      Verbs.self,
      Watch.self, Record.self, Top.self, Explain.self, Events.self, Audit.self, SessionsCommand.self,
      Export.self,
      Verify.self,
      Decode.self,
      Simulate.self, FirmwareCommand.self, RolloutCommand.self, ConfigCommand.self,
      RecoveryHelperCommand.self,
    ])

  @Flag(help: "Print the licences of the program and of all that is linked in, with their notices.")
  var licences = false

  mutating func run() async throws {
    guard licences else { throw CleanExit.helpRequest(self) }
    try Console.line(LicenceReport.text())
  }

  /// Refuses what is no command, or no command of the command before it, with the nearest one: the parser would only
  /// call it an unexpected argument.
  static func check(_ words: some Sequence<String>) throws(CommandLineFailure) {
    var (kind, above) = ("command", configuration)
    for word in words {
      let commands = above.subcommands
      guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
      let names = commands.map { $0.configuration.commandName ?? "\($0)".lowercased() }
      guard let index = names.firstIndex(of: word) else {
        // What is no command of its own is a word for the usual one.
        guard above.defaultSubcommand == nil else { return }
        throw CommandLineFailure(.usage, Suggestion.missing(kind, word, among: names))
      }
      (kind, above) = ("command of \(word)", commands[index].configuration)
    }
  }

  static func main() async {
    Console.reserveStandardFiles()
    Signals.ignoreClosedPipes()
    do {
      try check(CommandLine.arguments.dropFirst())
      let command = try await asyncParseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        var command = command
        try command.run()
      }
    } catch let failure as CommandLineFailure {
      failure.report()
      exit(withError: ExitCode(failure.status.rawValue))
    } catch let failure as StoreFailure {
      Console.note("metafleet: \(failure)")
      exit(withError: ExitCode(ExitStatus.taken.rawValue))
    } catch let failure as OutputFailure {
      end(failure)
    } catch {
      // Help, version and completion are results, too.
      guard exitCode(for: error).isSuccess else { exit(withError: error) }
      do throws(OutputFailure) {
        let text = fullMessage(for: error)
        if !text.isEmpty { try Console.line(text) }
      } catch { end(error) }
    }
  }

  /// Whoever read us has seen enough, or the result is not whole.
  private static func end(_ failure: OutputFailure) -> Never {
    failure.ending?.report()
    exit(withError: ExitCode((failure.ending?.status ?? .ok).rawValue))
  }
}
