import Dialects
import FleetModel

/// Everything the broker keeps of one board, as a page for people.
struct BoardPage {
  let board: FleetView.Board
  let fleet: FleetView
  let now: Timestamp

  /// The page without its streams, whose names want a wider column.
  var sheet: FactSheet {
    FactSheet(sections: [identity, condition, setup, lastDay, caretaker, abilities])
  }

  private var info: JSONObject { board.info ?? [:] }
  private var state: JSONObject { board.state ?? [:] }

  private var identity: FactSheet.Section {
    var section = FactSheet.Section(title: printable(board.name))
    section.add("board", "\(board.id), \(board.id.address.colonSeparated)")
    section.add("model", text(info, "model").map { model in model + details("imu", "hw", "fw") })
    section.add("made by", list([text(info, "manufacturer"), text(info, "serial").map { "serial \($0)" }]))
    section.add("site", text(info, "site"))
    section.add("profile", text(info, "profile"))
    section.add("groups", board.groups.joined(separator: ", "))
    section.add(
      "labels",
      info["labels"]?.object?.members.map { "\($0.key)=\($0.value.string ?? "")" }.joined(separator: ", "))
    return section
  }

  private func details(_ keys: String...) -> String {
    let words = ["imu": "", "hw": "hardware ", "fw": "firmware "]
    return keys.compactMap { key in
      text(info, key).map { ", \(words[key] ?? "")\($0)" }
    }.joined()
  }

  private var condition: FactSheet.Section {
    var section = FactSheet.Section(title: "Now")
    let (words, style) = BoardTable.availabilityWords(of: board, in: fleet, now: now)
    section.add("availability", words, style)
    section.add("link", list([text(state, "link"), adapter, unit(state, "rssi_dbm", "dBm")]))
    section.add("reason", text(state, "reason"), .warning)
    section.add("streams", text(state, "stream_reason"), .warning)
    section.add(
      "battery",
      list([
        unit(state, "battery_pct", "%"), unit(state, "battery_mv", "mV"),
        state["charging"]?.bool.map { $0 ? "charging" : "not charging" },
        age(state, "battery_ms").map { "read \($0) ago" },
      ]), BoardTable.batteryStyle(state))
    section.add("log", unit(state, "log_used_pct", "% full"))
    section.add("last heard", age(state, "last_seen_ms").map { "\($0) ago" })
    section.add("last session", age(state, "last_session_ms").map { "\($0) ago" })
    section.add("next contact", contact)
    section.add("LED", led)
    section.add("commands", unit(state, "commands_waiting", "waiting"))
    section.add(
      "clock",
      list([
        state["clock_err_ms"]?.number.map { "±\(ParameterType.plain($0)) ms" },
        state["boot"]?.integer.map { "boot \($0)" },
      ]))
    section.add("as of", age(state, "ts_ms").map { "\($0) ago" })
    return section
  }

  private var setup: FactSheet.Section {
    var section = FactSheet.Section(title: "Setup")
    guard let config = board.config else { return section }
    func words(_ key: String) -> String { list(config[key]?.array?.map(\.string) ?? []) }
    section.add(
      "in sync", config["in_sync"]?.bool.map { $0 ? "yes" : "no" },
      config["in_sync"] == true ? .good : .warning)
    section.add("differences", words("differences"), .warning)
    section.add("refused", text(config, "error"), .warning)
    section.add("by commands", words("overlay"))
    section.add("not ours", words("foreign"))
    section.add(
      "taken",
      list(
        config["slots_used"]?.object?.members.filter { $0.value != 0 }.map {
          "\($0.value.integer ?? 0) \($0.key)"
        } ?? []))
    section.add("applied", age(config, "applied_ms").map { "\($0) ago" })
    return section
  }

  private var lastDay: FactSheet.Section {
    var section = FactSheet.Section(title: "Last 24 hours")
    section.add("sessions", count(state, "sessions_24h"))
    section.add("failed", count(state, "session_fail_24h"), isNone("session_fail_24h") ? nil : .warning)
    section.add("samples lost", count(state, "samples_lost_24h"), isNone("samples_lost_24h") ? nil : .bad)
    return section
  }

  private func isNone(_ key: String) -> Bool { state[key]?.integer ?? 0 == 0 }

  private var caretaker: FactSheet.Section {
    var section = FactSheet.Section(title: "Gateway")
    guard let id = board.gateway else { return section }
    let gateway = fleet.gateway(of: board)
    let standing = gateway?.isOnline == true ? "online" : "offline"
    section.add(
      "id",
      list([
        id, age(gateway?.availability, "since_ms").map { "\(standing) \($0)" } ?? standing,
        gateway?.isOnline == true ? nil : text(gateway?.availability, "reason"),
      ]), gateway?.isOnline == true ? .good : .bad)
    section.add(
      "runs",
      list([
        text(gateway?.info, "version").map { "version \($0)" },
        text(gateway?.info, "host").map { "on \($0)" },
        text(gateway?.info, "os"),
      ]))
    guard let health = gateway?.health else { return section }
    section.add("bluetooth", flag(health, "bluetooth_ok"), health["bluetooth_ok"] == 0 ? .bad : nil)
    section.add("storage", flag(health, "storage_ok"), health["storage_ok"] == 0 ? .bad : nil)
    section.add(
      "outbox",
      list([
        unit(health, "outbox_msgs", "messages"),
        health["outbox_oldest_s"]?.number.flatMap {
          $0 <= 0 ? nil : "oldest \(Age.text(of: .milliseconds(Int64($0 * 1_000))))"
        },
      ]))
    return section
  }

  private var abilities: FactSheet.Section {
    var section = FactSheet.Section(title: "Abilities")
    let modules = info["modules"]?.object?.members ?? []
    let present = modules.filter { $0.value.object?["present"] == true }
    section.add("modules", present.map { "\($0.key)\(version($0.value.object))" }.joined(separator: ", "))
    section.add(
      "absent", modules.filter { $0.value.object?["present"] == false }.map(\.key).joined(separator: ", "))
    section.add(
      "slots",
      info["slots"]?.object?.members.map { "\($0.value.integer ?? 0) \($0.key.replacing("_", with: " "))" }
        .joined(separator: ", "))
    section.add("commands", info["verbs"]?.array?.compactMap(\.string).joined(separator: ", "))
    section.add("interviewed", age(info, "interviewed_ms").map { "\($0) ago" })
    return section
  }

  private func version(_ module: JSONObject?) -> String {
    guard let implementation = module?["implementation"]?.integer, let revision = module?["revision"]?.integer
    else { return "" }
    return " \(implementation).\(revision)"
  }

  /// What the board can produce.
  var streams: FactSheet {
    var section = FactSheet.Section(title: "Streams")
    for (name, value) in info["streams"]?.object?.members ?? [] {
      guard let stream = value.object else { continue }
      let fields = stream["fields"]?.array?.compactMap { $0.object?["name"]?.string } ?? []
      let ways = ["streamable", "loggable", "readable"].filter { stream[$0] == true }
      let offers = stream["offers"]?.object?.members.map { "\($0.key) \(choices($0.value))" } ?? []
      section.add(
        name,
        ([fields.joined(separator: " "), ways.joined(separator: ", ")] + offers).joined(separator: "; "))
    }
    return FactSheet(sections: [section])
  }

  private func choices(_ value: JSONValue) -> String {
    if let list = value.array { return list.map { $0.string ?? JSONText.of($0) }.joined(separator: " ") }
    guard let least = value.object?["min"]?.number, let most = value.object?["max"]?.number else {
      return JSONText.of(value)
    }
    return "\(ParameterType.plain(least))–\(ParameterType.plain(most))"
  }

  private var adapter: String? {
    guard let adapter = text(state, "adapter") else { return nil }
    let name = fleet.gateway(of: board)?.adapters[adapter]?["name"]?.string
    return "adapter \(name.map { "\($0) (\(adapter))" } ?? adapter)"
  }

  private var contact: String? {
    guard let due = state["next_contact_ms"]?.integer else { return nil }
    let left = Timestamp(milliseconds: due) - now
    return left <= .zero ? "overdue by \(Age.text(of: .zero - left))" : "within \(Age.text(of: left))"
  }

  private var led: String? {
    guard let led = board.led else { return nil }
    guard led["state"] == "ON" else { return text(led, "state")?.lowercased() }
    let parts = ["r", "g", "b"].map { led["color"]?.object?[$0]?.integer ?? 0 }
    return list([
      text(led, "effect"), "colour \(parts.map(String.init).joined(separator: "/"))",
      count(led, "brightness").map { "brightness \($0)" },
    ])
  }

  private func text(_ document: JSONObject?, _ key: String) -> String? {
    document?[key]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func count(_ document: JSONObject, _ key: String) -> String? {
    document[key]?.integer.map { "\($0)" }
  }

  private func unit(_ document: JSONObject, _ key: String, _ unit: String) -> String? {
    document[key]?.number.map { "\(ParameterType.plain($0)) \(unit)" }
  }

  private func flag(_ document: JSONObject, _ key: String) -> String? {
    document[key]?.integer.map { $0 == 0 ? "in trouble" : "in order" }
  }

  private func age(_ document: JSONObject?, _ key: String) -> String? {
    document?[key]?.integer.map { Age.text(of: now - Timestamp(milliseconds: $0)) }
  }

  private func list(_ parts: [String?]) -> String { parts.compactMap { $0 }.joined(separator: ", ") }
}
