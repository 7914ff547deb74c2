import ArgumentParser
import Dialects
import FleetModel

/// `rollout`: new firmware for the boards of a group.
struct RolloutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollout", abstract: "Updates the firmware of all boards of a group, one after the other.",
    discussion: """
      First of some boards, which are then watched; the others follow, slowly at first, once these are as well as before. \
      A board that is left without firmware, one of the first that fails or is worse than before, or too many failures \
      end it by itself: no more boards are begun, and what runs is let run.

      The gateway carries it out, also over restarts; this command only gives it, and with --watch shows how far it is \
      until it is over. Ctrl-C ends the watching, not the rollout.

      --dry-run shows who would get the firmware, who first, and who cannot have it and why. Look at that first.

      Examples:
        metafleet rollout pumps --version 1.7.3 --dry-run
        metafleet rollout pumps --version 1.7.3 --canary 2 --soak 4h --hours 22:00-05:00 --watch
        metafleet send gateway:floor-3 rollout-pause rollout=fw-173
        metafleet send gateway:floor-3 rollout-abort rollout=fw-173
        metafleet send gateway:floor-3 rollout-list

      Exit status: 0 begun, or with --watch done; 1 refused, or with --watch aborted or not done for all; 3 it may have \
      begun; 64 no such group, or misspelt; 69 no broker; 75 another rollout is not over, or no answer; 77 denied.
      """)

  @Argument(help: "The group; all is every board.", completion: FleetCompletion.groups) var group: String
  @Option(help: ArgumentHelp("The firmware, such as 1.7.3.", valueName: "version")) var version: String
  @Flag(help: "Only show what would be done.") var dryRun = false
  @Flag(help: "Show how far it is until it is over.") var watch = false
  @OptionGroup var choices: RolloutChoices
  @Option(help: "Its identifier; the same command under the same identifier runs once.") var id: String?
  @Flag(help: "Print replies and documents as they are, one JSON object per line.") var json = false
  @OptionGroup var broker: BrokerOptions

  /// Firmware is fetched and checked before it is answered.
  private static let answerLimit = Duration.seconds(240)

  func validate() throws {
    if dryRun && watch { throw ValidationError("--dry-run begins nothing that --watch could show.") }
  }

  func run() async throws {
    Signals.endAtOnce()
    let status = try await ClientSession.with(try broker.settings()) { session in
      let fleet = try await session.fleet()
      let resolution = TargetResolution(fleet: fleet)
      let name = group.hasPrefix("group:") ? group : "group:\(group)"
      let target = try resolution.resolve(name)
      guard case .group(let group) = target else { return ExitStatus.usage }
      var arguments = try choices.arguments(version, resolution)
      arguments.isDryRun = dryRun
      let request = try SendRequest(
        verb: RolloutVerbs.name, arguments: arguments.arguments(for: group), isQueued: false,
        expires: Self.answerLimit, id: id)
      try request.check(for: target)
      var begun: [ReplyDocument] = []
      let status = try await request.perform(on: session, target: target, in: fleet, json: json) { reply in
        guard reply[.stage] == .done else { return false }
        begun.append(reply)
        return !json
      }
      if !json {
        for line in begun.flatMap({ RolloutText.plan($0, names: fleet.names) }) { try Console.line(line) }
      }
      guard watch, status == .ok else { return status }
      return try await follow(begun, on: session)
    }
    if status != .ok { throw CommandLineFailure(status, "") }
  }

  /// Shows the documents of what was begun until it is over.
  private func follow(_ begun: [ReplyDocument], on session: ClientSession) async throws -> ExitStatus {
    guard let id = begun.first.flatMap({ $0[.data]?["rollout"]?.string }) else { return .no }
    var state = RolloutWatch(gateways: Set(begun.compactMap { $0[.answeredBy] }))
    let topics = TopicTree(base: session.settings.base, gateway: "+")
    try await session.subscribe(to: [topics.rollout(id)], .atLeastOnce)
    for await event in session.events {
      switch event {
      case .message(let message):
        guard let document = RolloutDocument(message.payload), document[.id] == id else { continue }
        let line = state.take(document)
        if json {
          try Console.line(JSONText.of(document.json.json))
        } else if let line {
          try Console.line(line)
        }
        if let status = state.status { return status }
      case .lost(let failure): throw session.explain(failure)
      case .acknowledged, .timer, .terminal: break
      }
    }
    return .tryLater
  }
}
