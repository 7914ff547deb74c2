/// The keys of profiles and boards (MQTT contract 7.4).
extension ConfigurationKeys {
  /// The keys of a profile.
  static let profile: [Parameter] = withDefaults(
    [
      key(
        "extends", .name, sample: "climate", whenMissing: "none", reach: .setup,
        "A profile this one is laid over, key by key; what stands here wins."),
      key(
        "stream", .streams(.stream), sample: "{ acceleration: { rate_hz: 50, range_g: 4 } }",
        whenMissing: "none", reach: .setup, "Streams by name, each with its configuration; {} = defaults."),
      key(
        "log", .streams(.log), sample: "{ acceleration: { rate_hz: 50, range_g: 4 } }", whenMissing: "none",
        reach: .setup,
        "Streams logged to the board's flash, by name, each with its configuration; {} = defaults."),
      section(
        "logging",
        [
          key(
            "circular", .boolean, reach: .setup,
            "Whether the oldest entries are overwritten when the flash is full; else logging stops then.")
        ], "How boards log."),
      key(
        "process", .programs(.chain), sample: "{ presses: { from: switch, chain: [counter], to: [] } }",
        whenMissing: "none", reach: .setup,
        "Processor chains that boards compute, by name, as processor-create takes them."),
      key(
        "timers", .programs(.timer), sample: "{ minute: { period_ms: 60000 } }", whenMissing: "none",
        reach: .setup,
        "Timers of the boards by name, as timer-create takes them."),
      key(
        "events", .programs(.event),
        sample: "{ hello: { source: button-press, action: { verb: led, args: { color: green } } } }",
        whenMissing: "none", reach: .setup, "What boards do by themselves, by name, as event-bind takes it."),
      key(
        "settings", .settings, sample: "{ tx_dbm: 4, advertising: { interval_ms: 417 } }",
        whenMissing: "none", reach: .setup,
        "How boards present and connect themselves, as the verb settings takes it; written again after a reset."
      ),
      key("button", .boolean, reach: .setup, "Whether the button raises events."),
      key(
        "link", .words(of: Profile.LinkPolicy.self), reach: .link,
        "auto: stay connected when anything notifies or is polled more often than every 2 min, else visit."),
      section("visit", visit, "Visits to boards that do not stay connected."),
      key(
        "availability_window", .duration(atLeast: .seconds(1), atMost: .seconds(366 * 86_400)), sample: "60s",
        whenMissing:
          "60s for boards that stay connected; visited: twice the time between visits, at least 10m",
        reach: .setup,
        "How long a board may be silent and still count as online."),
      later(
        "foreign", .choice(["leave", "report"]), standard: "report",
        "What to do with loggers, timers and events of other hosts."),
    ], from: Profile().document)

  private static let visit = [
    key(
      "every", ScheduleKeys.schedule, sample: "1h", whenMissing: "no visits", reach: .setup,
      "When visits are due: from one to the next, or at times of day."),
    key(
      "jitter", .percent, reach: .setup,
      "How far visits spread: around an interval, or of an hour behind a time of day."),
    key("download", .boolean, reach: .setup, "Whether the log is downloaded."),
    key(
      "clear", .words(of: VisitPolicy.Clear.self), reach: .setup,
      "When downloaded pages are erased on the board; published: once the broker has acknowledged them."),
    key(
      "foreign", .boolean, reach: .setup,
      "Whether visits download a log that only loggers of other hosts have written."),
    key(
      "hours", .worded("HH:MM-HH:MM, or a list of them", .either([.hours, .list(of: .hours, 0...24)])),
      sample: "\"08:00-18:00\"", whenMissing: "all day", reach: .setup, "When visits may happen."),
  ]

  /// The keys of a board.
  static let board: [Parameter] = [
    key(
      "address", .address, required: true, sample: "E5:A1:C2:D3:F4:B6", reach: .link, "Its Bluetooth address."
    ),
    key(
      "name", .displayName(1...64), sample: "Pump 3", whenMissing: "the advertised name",
      "Its name for people."),
    key("site", .displayName(1...64), sample: "hq", whenMissing: "the gateway's", "Where it is."),
    key(
      "profile", .name, sample: "vibration", whenMissing: "none: battery and button only", reach: .setup,
      "Its profile."),
    key(
      "groups", .list(of: .name, 0...16), standard: [], "Groups it belongs to; all holds every board."),
    key(
      "labels", .map(of: .displayName(0...128), 0...16), standard: [:], "Labels of your own."),
    key(
      "serial", .worded("a serial number", .word(atMost: 64)), sample: "055B9E", whenMissing: "any",
      reach: .link,
      "Its serial number; a board with another one at the address is left alone."),
    key(
      "adapter", .address, sample: "00:1A:7D:DA:71:13", whenMissing: "any", reach: .link,
      "The adapter it must use."),
    key("enabled", .boolean, standard: true, reach: .link, "false: known, but left alone."),
  ]
}
