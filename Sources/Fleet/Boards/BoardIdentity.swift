import FleetModel

/// Who a board is: the retained `info` document and what it is made of (MQTT contract 1.1). Pure.
struct BoardIdentity: Sendable {
  let family: String
  /// Verbs the board accepts.
  var permissions: CommandPermissions
  var advertisedName: String?
  /// From the last interview, and when that was.
  var description: BoardDescription?
  var interviewed: Timestamp?
  /// Whether the index of firmware lists its hardware; nil while that is not known.
  var isHardwareListed: Bool?
  /// Which board answered last, as far as that or an interview before told.
  private var known: HardwareIdentity?
  /// Which board was there first, where another one answers now and nobody said that this is right.
  private(set) var earlier: HardwareIdentity?
  /// What its chains yielded last.
  var chains: [ChainStream] = []
  /// As it was last published, or will be next.
  private(set) var info: BoardInfo?
  private var isDue = false

  init(
    family: String, permissions: CommandPermissions, advertisedName: String?, description: BoardDescription?,
    interviewed: Timestamp?, earlier: HardwareIdentity? = nil
  ) {
    (self.family, self.permissions, self.advertisedName) = (family, permissions, advertisedName)
    (self.description, self.interviewed, self.earlier) = (description, interviewed, earlier)
    known = description.map { HardwareIdentity($0) }
  }

  /// Judges, before it is taken over, which very board answered. `wanted` is the serial number that is configured;
  /// `wasMismatched`: the last one that answered was not the one that is meant.
  mutating func judge(_ found: BoardDescription, wanted: String?, wasMismatched: Bool) -> EventDraft? {
    let old = known
    let new = HardwareIdentity(found).completed(by: old)
    known = new
    let changes = old.map { new.changes(since: $0) } ?? []
    if !changes.isEmpty { earlier = earlier ?? old }
    // The first one is back, or somebody says that the new one is right.
    if wanted != nil || earlier.map({ new.changes(since: $0).isEmpty }) == true { earlier = nil }
    if let old, !changes.isEmpty { return Self.event("changed", changes, was: old, is: new, wanted: wanted) }
    return wasMismatched ? Self.event("restored", [], was: nil, is: new, wanted: wanted) : nil
  }

  /// The event that tells that another board than the one that is meant answered.
  func mismatched(_ found: BoardDescription, _ mismatch: IdentityMismatch) -> EventDraft {
    let new = HardwareIdentity(found)
    let changes = known.map { new.changes(since: $0) } ?? []
    return Self.event(
      "mismatch", changes, was: known, is: new, wanted: mismatch.wanted, message: mismatch.sentence)
  }

  private static func event(
    _ type: String, _ changes: [String], was old: HardwareIdentity?, is new: HardwareIdentity,
    wanted: String?,
    message: String? = nil
  ) -> EventDraft {
    var fields: JSONObject = ["changed": .array(changes.map { .string($0) })]
    fields["was"] = old.map { .object($0.document) }
    fields["is"] = .object(new.document)
    fields["wanted"] = wanted.map { .string($0) }
    let words = old.map { new.sentence(since: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    return EventDraft(.identity, type, fields: fields, message: message ?? words)
  }

  /// That another board answers than was there first; nil while there is no such doubt.
  var doubt: StatedReason? {
    guard let earlier, let known else { return nil }
    let sentence = known.sentence(since: earlier)
    return sentence.isEmpty ? nil : StatedReason(.identityChanged, sentence)
  }

  /// Works the document out anew. Returns whether it says something else.
  mutating func update(for desired: DesiredBoard, at now: Timestamp) -> Bool {
    if let known, desired.serial != nil,
      IdentityMismatch(found: known.serial, wanted: desired.serial) == nil
    {
      earlier = nil
    }
    var new = BoardInfo(
      board: desired.board, family: family,
      name: [desired.name, advertisedName].compactMap { $0 }.first(where: PrintableText.isVisible)
        ?? desired.board.address.colonSeparated, site: desired.site,
      profile: desired.profileName, groups: desired.groups, labels: desired.labels,
      verbs: permissions.verbs(on: desired.board, in: desired.groups),
      description: description, isHardwareListed: isHardwareListed, chains: chains, interviewed: interviewed,
      changed: info?.changed ?? now)
    guard new != info else { return false }
    new.changed = now
    info = new
    isDue = true
    return true
  }

  /// The document, where it was not published yet.
  mutating func takeDue() -> BoardInfo? {
    guard isDue else { return nil }
    isDue = false
    return info
  }
}
