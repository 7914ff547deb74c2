import BoardKit
import FleetModel

/// What stands in a board's slots, whose it is, and which signals it is about (MQTT contract 3.3). Pure.
///
/// Ours is what stands in a slot that we remember to have filled; everything else is somebody else's, be it equal to
/// something of ours.
struct ResourceListing: Sendable {
  let onBoard: BoardResources
  /// Knows loggers, and the ways of their signals.
  let recovery: SignalRecovery
  let macros: [UInt8: Macro.Header]
  let owned: ResourceSlots
  let ownMacros: [String: UInt8]

  var json: JSONObject {
    [
      "loggers": .array(loggers), "processors": .array(processors), "timers": .array(timers),
      "events": .array(events), "macros": .array(macroRows),
    ]
  }

  /// The same in numbers; of what is not ours, the kind and the slot.
  var survey: SlotUsage {
    var survey = SlotUsage()
    for (kind, rows) in json.members {
      let rows = rows.array?.compactMap(\.object) ?? []
      survey.used[kind] = rows.count
      // `loggers` hold one `logger` each.
      survey.foreign += rows.filter { $0["owner"] == "foreign" }.map {
        "\(kind.dropLast())/\($0["slot"]?.integer ?? 0)"
      }
    }
    return survey
  }

  private var graph: ProcessorGraph {
    var graph = recovery.graph
    graph.slots.merge(onBoard.processors) { $1 }
    return graph
  }

  private var loggers: [JSONValue] {
    recovery.signals.flatMap { signal in
      signal.loggers.compactMap { slot in recovery.loggers[slot].map { (slot, signal.name, $0) } }
    }.sorted { $0.0 < $1.0 }.map { slot, name, entry in
      let own = owned.key(of: .loggers, in: slot)?.ownName
      return Self.row(
        slot, signal: name, name: own, isOurs: own != nil, hex: Array(entry.command.dropFirst(2)))
    }
  }

  private var processors: [JSONValue] {
    rows(.processors, onBoard.processors) { slot, definition in
      (graph.name(of: .output(ofProcessor: slot)), Array(definition.command.dropFirst(2)))
    }
  }

  private var timers: [JSONValue] {
    rows(.timers, onBoard.timers) { ("timer[\($0)]", Array($1.command.dropFirst(2))) }
  }

  private var events: [JSONValue] {
    rows(.events, onBoard.events) {
      (trigger($1.source), Array($1.commands[0].dropFirst(2)) + $1.command.dropFirst(2))
    }
  }

  private var macroRows: [JSONValue] {
    macros.sorted { $0.key < $1.key }.map { slot, header in
      let name = ownMacros.first { $0.value == slot }?.key
      let hex = [header.isRunAtBoot ? 1 : 0, header.length]
      return Self.row(
        slot, signal: nil, name: name.flatMap { ProgramControl.isGiven($0) ? $0 : nil }, isOurs: name != nil,
        hex: hex)
    }
  }

  /// The signal that sets an event off: sensors and processors by their canonical names, and what is none of these.
  private func trigger(_ source: SignalAddress) -> String {
    switch source.register {
    case BoardTimer.tick: "timer[\(source.index ?? 0)]"
    case RadioSettings.disconnection: "disconnect"
    default: graph.name(of: source)
    }
  }

  private func rows<Entry>(
    _ kind: ResourceKey.Kind, _ entries: [UInt8: Entry], _ describe: (UInt8, Entry) -> (String, [UInt8])
  ) -> [JSONValue] {
    onBoard.taken(kind).sorted().map { slot in
      let described = entries[slot].map { describe(slot, $0) }
      let name = owned.key(of: kind, in: slot)?.ownName
      return Self.row(
        slot, signal: described?.0, name: name, isOurs: name != nil, hex: described?.1 ?? [])
    }
  }

  private static func row(
    _ slot: UInt8, signal: String?, name: String?, isOurs: Bool, hex: [UInt8]
  ) -> JSONValue {
    var row: JSONObject = ["slot": .integer(Int64(slot))]
    row["signal"] = signal.map { .string($0) }
    row["owner"] = isOurs ? "ours" : "foreign"
    row["name"] = name.map { .string($0) }
    row["hex"] = .string(hex.hex)
    return .object(row)
  }
}
