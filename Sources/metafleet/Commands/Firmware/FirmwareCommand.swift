import ArgumentParser

/// `firmware check|inspect|list|mirror|verify`.
struct FirmwareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "firmware",
    abstract: "Tells which boards have newer firmware waiting, and what releases there are.",
    discussion: """
      Nothing is installed. check asks the gateways; inspect, list, mirror and verify need neither gateway nor broker.
      """,
    subcommands: [Check.self, Inspect.self, List.self, Mirror.self, Verify.self])
}
