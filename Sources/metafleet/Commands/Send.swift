import ArgumentParser
import Dialects
import FleetModel

/// `send`: a command over MQTT, and what became of it.
struct Send: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sends a command to a board, a group or a gateway, and prints its replies.",
    discussion: """
      Without an answer for 10 s the command is sent again with the same id, and runs once.

      Prints every stage as it comes; of a group's job how far it is, and of each board its answer, or why it was not \
      done.

      The target is a board's name, id or a unique beginning of either, group:<name> (group:all is every board), or \
      gateway:<id>. Arguments are key=value: a value that is JSON counts as that, anything else as text; a.b=1 nests. --file FILE reads them from a file, JSON \
      or YAML: of batch it may be just the list of its commands.

      Examples:
        metafleet send "Pump 3" led color=green pattern=blink repeat=5
        metafleet send pump led color.r=255 color.g=0 color.b=80
        metafleet send e5a1c2d3f4b6 read what=temperature source=die
        metafleet send pump stream-start stream=acceleration rate_hz=100
        metafleet send group:east read what=battery
        metafleet send pump batch commands='[{"verb":"led","args":{"color":"red"}},{"verb":"log-status"}]'
        metafleet send group:east batch --file round.yaml on_failure=continue
        metafleet send gateway:floor-3 scan for_s=5
        metafleet send "Pump 3" reset --mode queue --expires 12h

      Verbs of boards and groups; metafleet verbs NAME explains one:
      \(VerbHelp.names(for: .board))

      Verbs of groups alone: \(VerbHelp.groupOnly).

      Verbs of gateways:
      \(VerbHelp.names(for: .gateway))

      A verb or an argument that this version does not know ends with 64 before anything is sent; --unchecked leaves \
      that to the gateway, which may be newer.

      Exit status: 0 done; 1 failed; 3 it may have run; 64 no such target, or misspelt; 69 no broker; 75 busy, or no final answer \
      until 10 s after the expiry; 77 denied.
      """)

  @Argument(
    help: "Board (name, id, beginning), group:<name> or gateway:<id>.", completion: FleetCompletion.send)
  var target: String
  @Argument(help: "What to do; see above.", completion: FleetCompletion.send) var verb: String
  @Argument(help: "key=value, as the verb wants.", completion: FleetCompletion.send) var arguments: [String] =
    []

  @Option(help: "now: connect if need be; queue: at the board's next contact.") var mode: Mode = .now

  @Option(
    help: ArgumentHelp(
      "How long the command may wait to start, such as 90s; else 30s, with --mode queue 24h.",
      valueName: "duration"))
  var expires: Span?

  @Option(help: "Identifier; the same command under the same identifier runs once.") var id: String?

  @Option(
    help: ArgumentHelp(
      "Arguments from a file, JSON or YAML; of batch a list: - led: { color: red }. - is standard input.",
      valueName: "file"), completion: .file())
  var file: String?

  @Flag(help: "Send it as it is, and leave it to the gateway to judge verb and arguments.") var unchecked =
    false
  @Flag(help: "Print the replies as they are, one JSON object per line.") var json = false
  @OptionGroup var broker: BrokerOptions

  enum Mode: String, ExpressibleByArgument, CaseIterable { case now, queue }

  func run() async throws {
    Signals.endAtOnce()
    let request = try SendRequest(
      verb: verb, arguments: allArguments(), isQueued: mode == .queue,
      expires: expires?.duration, id: id)
    try await request.send(to: target, over: broker, json: json, isChecked: !unchecked)
  }

  /// Those of the file, and those that were typed.
  private func allArguments() throws(CommandLineFailure) -> JSONObject {
    let typed = try CommandArguments.parse(arguments)
    guard let file else { return typed }
    guard file != "-" || broker.file.path != "-" else {
      throw CommandLineFailure(
        .usage, "--file - and --config - cannot both read standard input; name a file for one of them")
    }
    let read = try ArgumentFile.read(file, verb: verb)
    if let key = typed.keys.first(where: { read[$0] != nil }) {
      throw CommandLineFailure(.usage, "\(quoted(key)) is in \(file), too; give it once")
    }
    return read.merging(typed)
  }
}

extension SendRequest {
  /// Finds the target among what the broker knows, sends, prints the replies and ends with their status.
  func send(
    to target: String, over broker: BrokerOptions, json: Bool, isChecked: Bool = true
  ) async throws {
    let status = try await ClientSession.with(try broker.settings()) { session in
      let fleet = try await session.fleet()
      let target = try TargetResolution(fleet: fleet).resolve(target)
      if isChecked { try check(for: target) }
      return try await perform(on: session, target: target, in: fleet, json: json)
    }
    if status != .ok { throw CommandLineFailure(status, "") }
  }
}
