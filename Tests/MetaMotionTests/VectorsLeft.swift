/// Cases of our areas that wait for the codecs of later work, by name, so that none is skipped in silence.
enum VectorsLeft {
  static let reasons: [String: String] = {
    var reasons: [String: String] = [:]
    for (reason, names) in groups {
      for name in names { reasons[name] = reason }
    }
    return reasons
  }()

  private static let groups: [(reason: String, names: [String])] = [
    (
      "the vendor's binary serialisation of host state is not needed",
      ["meta-wear-board-deserialize-deserialize-same-firmware"]
    ),
    (
      "radio settings come with the verb `settings`",
      [
        "adv-interval-rev6", "read-conn-params", "read-scan-response", "settings-revision1-set-ad-interval",
        "settings-set-ad-interval", "settings-set-tx-power", "settings-start-advertising",
        "whitelist-address",
      ]
    ),
    ("events come with the programs on the board", ["settings-revision3-disconnected-event"]),
    ("setting pins comes with the buses", ["gpio-digital-config-set-digital-out"]),
  ]
}
