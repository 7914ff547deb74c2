import FleetModel

/// What a new configuration changes: what of it a running gateway takes, and what only a restart does. Which is which
/// is declared with every key (MQTT contract 7).
struct ConfigurationChange: Hashable, Sendable {
  /// What differs and is applied: a section whose keys are all alike in this by its name, others key by key.
  private(set) var changed: [String] = []
  /// What differs and needs a restart.
  private(set) var needsRestart: [String] = []
  /// The same key by key.
  let keys: [ChangedKey]
  /// The new configuration with what needs a restart as it was, so that the gateway's picture of itself stays true.
  private(set) var applied: FleetConfiguration

  /// Compares two configurations.
  init(from old: FleetConfiguration, to new: FleetConfiguration) {
    applied = new
    // The order of boards in the file means nothing.
    let (old, new) = (old.withBoardsInOrder.document, new.withBoardsInOrder.document)
    keys = ChangedKey.all(from: old, to: new)
    for section in ConfigurationKeys.file {
      let differences = section.differences(old[section.name], new[section.name])
      let isAlike = Set(section.reloads).count == 1
      for (path, reload) in differences {
        note(isAlike ? section.name : path, reload)
      }
      if differences.contains(where: { $0.reload == .restart }) {
        var document = JSONObject()
        document[section.name] = section.keeping(old[section.name], in: new[section.name])
        applied.take(document)
      }
    }
  }

  var isEmpty: Bool { changed.isEmpty && needsRestart.isEmpty }

  /// As answers and events tell it.
  var document: JSONObject {
    [
      "changed": .array(changed.map { .string($0) }),
      "needs_restart": .array(needsRestart.map { .string($0) }),
    ]
  }

  private mutating func note(_ name: String, _ reload: FileKey.Reload) {
    switch reload {
    case .live where !changed.contains(name): changed.append(name)
    case .restart where !needsRestart.contains(name): needsRestart.append(name)
    default: break
    }
  }
}

extension FleetConfiguration {
  fileprivate var withBoardsInOrder: FleetConfiguration {
    var configuration = self
    configuration.boards.sort { $0.board < $1.board }
    return configuration
  }
}

extension Parameter {
  /// What becomes of changes of the keys here: once for each of them.
  fileprivate var reloads: [FileKey.Reload] {
    if case .object(let members) = type { return members.flatMap(\.reloads) }
    return file?.reload.map { [$0] } ?? []
  }

  /// The keys here whose values differ, by their paths.
  fileprivate func differences(
    _ old: JSONValue?, _ new: JSONValue?
  ) -> [(path: String, reload: FileKey.Reload)] {
    guard old != new else { return [] }
    guard case .object(let members) = type else { return file?.reload.map { [(name, $0)] } ?? [] }
    return members.flatMap { member in
      member.differences(old?.object?[member.name], new?.object?[member.name])
    }.map { ("\(name).\($0.path)", $0.reload) }
  }

  /// The new value, with the old ones of all keys that need a restart.
  fileprivate func keeping(_ old: JSONValue?, in new: JSONValue?) -> JSONValue? {
    guard case .object(let members) = type else { return file?.reload == .restart ? old : new }
    var kept = new?.object ?? JSONObject()
    for member in members {
      kept[member.name] = member.keeping(old?.object?[member.name], in: new?.object?[member.name])
    }
    return .object(kept)
  }
}
