package import FleetModel
package import Storage

/// Boards admitted at run time, as the store keeps them.
package enum StoredAdmission {
  package static func read(_ kept: BoardAdmission) -> Admission? {
    guard let document = (try? StrictJSON.parse(kept.document, limits: .trusting))?.object else { return nil }
    return Admission(
      board: kept.board, name: document["name"]?.string, site: document["site"]?.string,
      profile: document["profile"]?.string, groups: document["groups"]?.array?.compactMap(\.string),
      labels: document["labels"]?.object.map {
        Dictionary(
          $0.members.map { ($0.key, $0.value.string ?? "") }, uniquingKeysWith: { first, _ in first })
      }, isEnabled: document["enabled"]?.bool)
  }

  static func bytes(_ admission: Admission) -> [UInt8] {
    var document = JSONObject()
    document["name"] = admission.name.map { .string($0) }
    document["site"] = admission.site.map { .string($0) }
    document["profile"] = admission.profile.map { .string($0) }
    document["groups"] = admission.groups.map { .array($0.map { .string($0) }) }
    document["labels"] = admission.labels.map { labels in
      .object(JSONObject(labels.sorted { $0.key < $1.key }.map { ($0, .string($1)) }))
    }
    document["enabled"] = admission.isEnabled.map { .bool($0) }
    return JSONWriter.render(document)
  }

  /// What is said now laid over what was known: nil leaves it.
  static func merge(_ new: Admission, over old: Admission?) -> Admission {
    Admission(
      board: new.board, name: new.name ?? old?.name, site: new.site ?? old?.site,
      profile: new.profile ?? old?.profile, groups: new.groups ?? old?.groups,
      labels: new.labels ?? old?.labels,
      isEnabled: new.isEnabled ?? old?.isEnabled)
  }
}
