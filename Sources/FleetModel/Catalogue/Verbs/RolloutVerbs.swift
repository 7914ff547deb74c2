/// `firmware-rollout` of groups, and what is done with rollouts (MQTT contract 4.3).
public enum RolloutVerbs {
  /// The verb's name, which rollouts remember as part of where they came from.
  public static let name = "firmware-rollout"

  static let rollout = VerbDefinition(
    name, .group,
    "Updates the firmware of all boards of a group: first of some, and of the rest once those are well.",
    [
      Parameter("confirm", .text(1...64), required: true, "the name of the group, as confirmation"),
      Parameter("version", .text(1...16), required: true, "a version such as 1.7.3"),
      Parameter(
        "dry_run", .boolean, standard: false, "whether only the plan is answered, and nothing begins"),
    ] + options,
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      guard let version = try FirmwareVerbs.version(arguments["version"]?.string) else {
        throw .invalid(
          "version must be like 1.7.3: a rollout keeps to one version, whatever comes out meanwhile")
      }
      let options = RolloutOptions(document: arguments)
      guard options.mostPerHour >= options.perHour else {
        throw .invalid("ramp.max_per_hour must not be less than ramp.per_hour")
      }
      return .gateway(
        .rollout(
          .begin(
            RolloutOrder(
              version: version, options: options, isDryRun: arguments["dry_run"]?.bool ?? false))))
    }
  )
  .answering(
    [
      Parameter("rollout", .text(1...64), required: true, "its id, for the other verbs and its document"),
      Parameter("dry_run", .boolean, required: true, "whether nothing was begun"),
      Parameter("boards", .count, required: true, "boards that are to get the firmware"),
      Parameter("first", .list(of: .text(12...12), 0...10_000), required: true, "who gets it first"),
      Parameter("refused_count", .count, required: true, "boards that cannot have it"),
      Parameter(
        "refused",
        .rows([
          Parameter("board", .text(12...12), required: true, "the board"),
          Parameter("reason", .text(1...512), required: true, "why it cannot have the firmware"),
        ]), required: true, "these boards, at most 100"),
    ], failing: [.unsupported], example: ["confirm": "pumps", "version": "1.7.3", "dry_run": true])

  private static let options: [Parameter] = {
    let standard = RolloutOptions().document
    return [
      Parameter("canary", .integer(1...1_000), standard: standard["canary"], "boards that get it first"),
      Parameter(
        "canaries", .list(of: .address, 1...1_000),
        "which boards get it first, by id or address; left out: those with the fullest batteries"),
      Parameter(
        "soak", .duration(atLeast: .zero, atMost: .seconds(30 * 86_400)), standard: standard["soak"],
        "for how long the first ones are watched"),
      Parameter(
        "ramp",
        .object([
          Parameter("per_hour", .integer(1...3_600), standard: 5, "boards an hour, at first"),
          Parameter(
            "factor", .number(1...10), standard: 2, "what that grows by, each time as many have the firmware"),
          Parameter("max_per_hour", .integer(1...3_600), standard: 60, "how far it grows"),
        ]), "how fast the others follow"),
      Parameter(
        "parallel", .integer(1...64), standard: standard["parallel"],
        "boards at once; on one adapter never more than one"),
      Parameter(
        "hours", .either([.hours, .list(of: .hours, 1...8)]),
        "when boards may be begun, by the gateway's local time; left out: at any time"),
      Parameter(
        "abort",
        .object([
          Parameter(
            "fail_pct", .integer(0...100), standard: 10,
            "more failures than so many percent of the finished boards end it; 0: never"),
          Parameter("min_finished", .integer(1...10_000), standard: 5, "from so many finished boards on"),
          Parameter(
            "stranded", .integer(0...10_000), standard: 1, "so many boards without firmware end it; 0: never"),
        ]), "when no more boards are begun"),
      Parameter(
        "timeout", .duration(atLeast: .seconds(300), atMost: .seconds(86_400)), standard: standard["timeout"],
        "after which a board counts as failed"),
      Parameter(
        "retries", .integer(0...10), standard: standard["retries"],
        "how often a board that failed is begun again"
      ),
      Parameter(
        "allow_bootloader", .boolean, standard: false,
        "whether bootloaders are replaced where the firmware needs a newer one"),
      Parameter(
        "force", .boolean, standard: false, "whether boards that have the same or a newer version get it, too"
      ),
      Parameter("until_ms", .instant, "when it ends in any case, since 1970"),
    ]
  }()

  static let pause = one(
    "rollout-pause", "Begins no more boards of a rollout until it is resumed; what runs goes on.",
    RolloutRequest.pause)
  static let resume = one("rollout-resume", "Goes on with a rollout that was paused.", RolloutRequest.resume)
  static let abort = one(
    "rollout-abort", "Ends a rollout: no more boards are begun, and what runs is let run.",
    RolloutRequest.abort)

  private static func one(
    _ name: String, _ summary: String, _ request: @escaping @Sendable (String) -> RolloutRequest
  ) -> VerbDefinition {
    VerbDefinition(
      name, .gateway, summary,
      [Parameter("rollout", .identifier(atMost: 64), required: true, "its id")],
      checked: { (arguments: JSONObject) throws(CommandFailure) in
        .gateway(.rollout(request(arguments["rollout"]?.string ?? "")))
      }
    )
    .answering(
      [
        Parameter("rollout", .text(1...64), required: true, "its id"),
        Parameter("phase", .choice(RolloutPhase.allCases.map(\.rawValue)), required: true, "how far it is"),
        Parameter("paused", .boolean, required: true, "whether it is paused"),
      ], example: ["rollout": "fw-173"])
  }

  static let list = VerbDefinition(
    "rollout-list", .gateway, "Lists the rollout that is under way, and the last ones that were.", [],
    checked: { (_: JSONObject) throws(CommandFailure) in .gateway(.rollout(.list)) }
  )
  .answering(
    [
      Parameter(
        "rollouts",
        .rows(
          [
            Parameter("rollout", .text(1...64), required: true, "its id"),
            Parameter("group", .text(1...32), required: true, "whose boards"),
            Parameter("version", .text(1...16), required: true, "what they are to have"),
            Parameter(
              "phase", .choice(RolloutPhase.allCases.map(\.rawValue)), required: true, "how far it is"),
            Parameter("paused", .boolean, required: true, "whether it is paused"),
            Parameter("reason", .text(1...1_024), "why it was aborted"),
          ]
            + RolloutCount.allCases.map {
              Parameter($0.rawValue, .count, required: true, $0.meaning)
            }), required: true, "the latest first")
    ], example: [:])
}
