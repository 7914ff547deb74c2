import Dialects
import FleetModel

/// Everything the broker keeps of one board, as a page for people.
struct BoardPage {
  let board: FleetView.Board
  let fleet: FleetView
  let now: Timestamp

  /// How it is, first, and who it is.
  var sheet: FactSheet { FactSheet(sections: [condition, lastDay, setup, gatewaySection, identity]) }

  /// What it can do, apart from its streams, whose names want a wider column.
  var abilities: FactSheet { FactSheet(sections: [abilitySection]) }

  private var info: BoardInfoDocument { board.info ?? BoardInfoDocument(json: [:]) }
  private var state: BoardStateDocument { board.state ?? BoardStateDocument(json: [:]) }

  private var identity: FactSheet.Section {
    var section = FactSheet.Section(title: "Board")
    section.add("model", info[.model].map { model in model + details })
    section.add("made by", list([info[.manufacturer], info[.serial].map { "serial \($0)" }]))
    section.add("site", info[.site])
    section.add("profile", info[.profile])
    section.add("groups", board.groups.joined(separator: ", "))
    section.add(
      "labels",
      info[.labels]?.members.map { "\($0.key)=\($0.value.string ?? "")" }.joined(separator: ", "))
    return section
  }

  private var details: String {
    [("", info[.imu]), ("hardware ", info[.hardware]), ("firmware ", info[.firmware])]
      .compactMap { word, value in value.map { ", \(word)\($0)" } }.joined()
  }

  private var condition: FactSheet.Section {
    var section = FactSheet.Section(title: printable(board.name))
    section.add("board", "\(board.id), \(board.id.address.colonSeparated)")
    let (words, style) = BoardTable.availabilityWords(of: board, in: fleet, now: now)
    section.add("availability", words, style)
    section.add("link", list([BoardCondition(board, in: fleet).link, adapter, unit(state[.rssi], "dBm")]))
    section.add("reason", state[.reason], .warning)
    section.add("streams", state[.streamReason], .warning)
    section.add("identity", state[.identityReason], .warning)
    section.add(
      "battery",
      list([
        unit(state[.batteryPercent], "%"), unit(state[.batteryMillivolts], "mV"),
        state[.isCharging].map { $0 ? "charging" : "not charging" },
        age(state[.batteryTime]).map { "read \($0) ago" },
      ]), BoardTable.batteryStyle(state))
    section.add("log", state[.logUsedPercent].map { "\(ParameterType.plain($0)) % full" })
    // While it is connected, the field is as old as the document.
    section.add(
      "last seen",
      BoardCondition(board, in: fleet).isConnected ? "now" : age(state[.lastSeen]).map { "\($0) ago" })
    section.add("last session", age(state[.lastSession]).map { "\($0) ago" })
    section.add("next contact", contact)
    section.add("LED", led)
    section.add("commands", unit(state[.commandsWaiting], "waiting"))
    section.add(
      "clock",
      list([
        state[.clockError].map { "±\(ParameterType.plain($0)) ms" },
        state[.boot].map { "boot \($0)" },
      ]))
    section.add("as of", age(state[.time]).map { "\($0) ago" })
    return section
  }

  private var setup: FactSheet.Section {
    var section = FactSheet.Section(title: "Setup")
    guard let config = board.config else { return section }
    section.add(
      "in sync", config[.isInSync].map { $0 ? "yes" : "no" },
      config[.isInSync] == true ? .good : .warning)
    section.add("differences", list(config[.differences] ?? []), .warning)
    section.add("refused", config[.error], .warning)
    section.add("by commands", list(config[.overlay] ?? []))
    section.add("foreign", list(config[.foreign] ?? []))
    section.add(
      "taken",
      list(config.takenSlots.filter { $0.count != 0 }.map { "\($0.count) \($0.kind)" }))
    section.add("applied", age(config[.applied]).map { "\($0) ago" })
    return section
  }

  private var lastDay: FactSheet.Section {
    var section = FactSheet.Section(title: "Last 24 hours")
    section.add("sessions", state[.sessions].map { "\($0)" })
    section.add(
      "failed", state[.sessionFailures].map { "\($0)" }, state[.sessionFailures] ?? 0 == 0 ? nil : .warning)
    section.add(
      "samples lost", state[.samplesLost].map { "\($0)" }, state[.samplesLost] ?? 0 == 0 ? nil : .bad)
    return section
  }

  private var gatewaySection: FactSheet.Section {
    var section = FactSheet.Section(title: "Gateway")
    guard let id = board.gateway else { return section }
    let gateway = fleet.gateway(of: board)
    let state = gateway?.isOnline == true ? "online" : "offline"
    section.add(
      "id",
      list([
        id, age(gateway?.availability?[.since]).map { "\(state) \($0)" } ?? state,
        gateway?.isOnline == true ? nil : gateway?.availability?[.reason],
      ]), gateway?.isOnline == true ? .good : .bad)
    section.add(
      "runs",
      list([
        gateway?.info?[.version].map { "version \($0)" },
        gateway?.info?[.host].map { "on \($0)" },
        gateway?.info?[.operatingSystem],
      ]))
    // Of a gateway that is gone nothing is known (fault F214).
    guard let health = gateway?.health, gateway?.isOnline == true else { return section }
    section.add("bluetooth", flag(health[.bluetoothOK]), health[.bluetoothOK] == 0 ? .bad : nil)
    section.add("storage", flag(health[.storageOK]), health[.storageOK] == 0 ? .bad : nil)
    section.add(
      "outbox",
      list([
        health[.outboxMessages].flatMap { Int(exactly: $0.rounded()) }.map { CountText.of($0, "message") },
        health[.outboxOldest].flatMap {
          $0 <= 0 ? nil : "oldest \(Age.text(of: .milliseconds(Int64($0 * 1_000))))"
        },
      ]))
    return section
  }

  private var abilitySection: FactSheet.Section {
    var section = FactSheet.Section(title: "Abilities")
    let present = info.modules.filter { $0.module[.isPresent] == true }
    section.add("modules", present.map { "\($0.name)\(version($0.module))" }.joined(separator: ", "))
    section.add(
      "absent", info.modules.filter { $0.module[.isPresent] == false }.map(\.name).joined(separator: ", "))
    section.add(
      "slots",
      info.slots.map { "\($0.count) \($0.kind.replacing("_", with: " "))" }.joined(separator: ", "))
    section.add("commands", info[.verbs]?.joined(separator: ", "))
    section.add("interviewed", age(info[.interviewed]).map { "\($0) ago" })
    return section
  }

  private func version(_ module: ModuleDocument) -> String {
    guard let implementation = module[.implementation], let revision = module[.revision] else { return "" }
    return " \(implementation).\(revision)"
  }

  /// What the board can produce.
  var streams: FactSheet {
    var section = FactSheet.Section(title: "Streams")
    for (name, stream) in info.streams {
      let fields = stream.fieldNames
      let ways = [
        ("streamable", stream[.isStreamable]), ("loggable", stream[.isLoggable]),
        ("readable", stream[.isReadable]),
      ].filter { $0.1 == true }.map(\.0)
      let offers = stream[.offers]?.members.map { "\($0.key) \(choices($0.value))" } ?? []
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
    guard let adapter = state[.adapter] else { return nil }
    let name = fleet.gateway(of: board)?.adapters[adapter]?[.name]
    return "adapter \(name.map { "\($0) (\(adapter))" } ?? adapter)"
  }

  private var contact: String? {
    guard let due = state[.nextContact] else { return nil }
    let left = due - now
    return left <= .zero ? "overdue by \(Age.text(of: .zero - left))" : "within \(Age.text(of: left))"
  }

  private var led: String? {
    guard let led = board.led else { return nil }
    guard led[.state] == "ON" else { return led[.state]?.lowercased() }
    return list([
      led[.effect], "colour \(led.colorParts.map(String.init).joined(separator: "/"))",
      led[.brightness].map { "brightness \($0)" },
    ])
  }

  private func unit(_ value: Int?, _ unit: String) -> String? { value.map { "\($0) \(unit)" } }

  private func flag(_ isFine: Double?) -> String? { isFine.map { $0 == 0 ? "has a problem" : "in order" } }

  private func age(_ time: Timestamp?) -> String? { time.map { Age.text(of: now - $0) } }

  private func list(_ parts: [String?]) -> String { parts.compactMap { $0 }.joined(separator: ", ") }
}
