/// The keys of the section `storage` of the configuration file (MQTT contract 7.2).
enum StorageKeys {
  static let keys = [
    ConfigurationKeys.key(
      "directory", .directory, sample: "/var/lib/metafleet",
      whenMissing: "$STATE_DIRECTORY; else /var/lib/metafleet for root, $XDG_STATE_HOME/metafleet for others",
      reload: .restart, "Where everything is kept that survives a restart."),
    ConfigurationKeys.key(
      "min_free", .size, "Free disk space below which samples are no longer stored."),
    ConfigurationKeys.section(
      "outbox",
      [
        ConfigurationKeys.key("max_size", .size, "Beyond it the oldest records become gaps."),
        ConfigurationKeys.key(
          "max_age", .duration(atLeast: .seconds(60), atMost: .seconds(366 * 86_400)),
          "Beyond it the oldest records become gaps."),
        ConfigurationKeys.key(
          "drain_per_s", .integer(1...100_000), "Messages per second while catching up."),
      ], "Messages that wait for the broker."),
    ConfigurationKeys.key(
      "replay", .duration(atLeast: .zero, atMost: .seconds(366 * 86_400)),
      "How long delivered messages stay replayable."),
    ConfigurationKeys.section(
      "history",
      [
        ConfigurationKeys.key("max_events", .integer(100...10_000_000), "Beyond it the oldest go."),
        ConfigurationKeys.key(
          "max_age", .duration(atLeast: .seconds(60), atMost: longest), "Beyond it they go."),
      ], "Events and ends of commands that metafleet events lists."),
    ConfigurationKeys.section("streams", streams, "Streamed samples that metafleet export writes."),
    ConfigurationKeys.key(
      "retain", .duration(atLeast: .zero, atMost: longest),
      "How long delivered logs are kept; what was not delivered is."),
    ConfigurationKeys.key("max_size", .size, "Beyond it the oldest delivered logs go."),
  ]

  private static let longest = Duration.seconds(3_660 * 86_400)

  private static let streams = [
    ConfigurationKeys.key(
      "keep", .either([.choice(["none"]), .duration(atLeast: .seconds(60), atMost: longest)]),
      "How long streamed samples are kept, such as 7d; none: not at all."),
    ConfigurationKeys.key("max_size", .size, "Beyond it the oldest go before that."),
    ConfigurationKeys.key(
      "only", .list(of: .worded("the name of a stream", .word(atMost: 64)), 0...256),
      "Names of the streams that are kept; none named: all."),
    ConfigurationKeys.key(
      "boards", .list(of: .address, 0...10_000), "Boards whose streams are kept; none named: all."),
  ]
}
