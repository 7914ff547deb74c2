import FleetModel

/// One key of the file that says something else than before: `mqtt.keepalive`, `profiles.vibration.stream`,
/// `boards[e5a1c2d3f4b6].labels`. A profile or board that is new, or gone, is told as a whole.
struct ChangedKey: Hashable, Sendable {
  enum Change: String, Sendable {
    case changed, added, removed
  }

  var path: String
  var change: Change
  /// False: a restart applies it.
  var isApplied: Bool

  /// As answers tell it.
  var document: JSONObject {
    ["path": .string(path), "change": .string(change.rawValue), "applied": .bool(isApplied)]
  }

  /// All keys that differ between two files, in the order of the contract; boards and profiles by their names.
  static func all(from old: JSONObject, to new: JSONObject) -> [ChangedKey] {
    ConfigurationKeys.file.flatMap { differences(of: $0, old[$0.name], new[$0.name], at: $0.name) }
  }

  private static func differences(
    of key: Parameter, _ old: JSONValue?, _ new: JSONValue?, at path: String
  ) -> [ChangedKey] {
    guard old != new else { return [] }
    let (before, after) = (old?.object ?? [:], new?.object ?? [:])
    switch key.type {
    case .object(let members):
      return members.flatMap {
        differences(of: $0, before[$0.name], after[$0.name], at: "\(path).\($0.name)")
      }
    case .map(_, .object(let members), _):
      return named(before, after, members) { "\(path).\($0)" }
    case .list(.object(let members), _) where members.contains { $0.name == "address" }:
      return named(byAddress(old), byAddress(new), members) { "\(path)[\($0)]" }
    default:
      guard let reload = key.file?.reload else { return [] }
      return [ChangedKey(path: path, change: .changed, isApplied: reload == .live)]
    }
  }

  /// Entries that have a name of their own.
  private static func named(
    _ old: JSONObject, _ new: JSONObject, _ members: [Parameter], _ path: (String) -> String
  ) -> [ChangedKey] {
    Set(old.keys + new.keys).sorted().flatMap { name -> [ChangedKey] in
      guard let after = new[name] else {
        return [ChangedKey(path: path(name), change: .removed, isApplied: true)]
      }
      guard let before = old[name] else {
        return [ChangedKey(path: path(name), change: .added, isApplied: true)]
      }
      return members.flatMap {
        differences(of: $0, before.object?[$0.name], after.object?[$0.name], at: "\(path(name)).\($0.name)")
      }
    }
  }

  /// Boards by their addresses: their order in the file means nothing.
  private static func byAddress(_ list: JSONValue?) -> JSONObject {
    JSONObject(
      (list?.array ?? []).compactMap { entry in
        entry.object?["address"]?.string.map { ($0, entry) }
      })
  }
}
