import FleetModel

/// What of a board no update of its firmware changes: which very board it is. Pure.
struct HardwareIdentity: Hashable, Sendable {
  /// Empty where the board does not say.
  var serial, model, imu: String

  init(serial: String, model: String, imu: String) {
    (self.serial, self.model, self.imu) = (serial, model, imu)
  }

  init(_ description: BoardDescription) {
    self.init(serial: description.serialNumber, model: description.model, imu: description.imu ?? "")
  }

  /// As documents name them.
  private var parts: [(name: String, value: String)] {
    [("serial", serial), ("model", model), ("imu", imu)]
  }

  /// What differs from what the board was; what it did not say, then or now, does not.
  func changes(since before: HardwareIdentity) -> [String] {
    zip(parts, before.parts).compactMap { new, old in
      new.value.isEmpty || old.value.isEmpty || new.value == old.value ? nil : new.name
    }
  }

  /// With what the board does not say as it was: a string that was not read once makes nobody forget it.
  func completed(by before: HardwareIdentity?) -> HardwareIdentity {
    guard let before else { return self }
    return HardwareIdentity(
      serial: serial.isEmpty ? before.serial : serial, model: model.isEmpty ? before.model : model,
      imu: imu.isEmpty ? before.imu : imu)
  }

  /// What changed, in words.
  func sentence(since before: HardwareIdentity) -> String {
    let changes = Set(changes(since: before))
    return zip(parts, before.parts).filter { changes.contains($0.0.name) }.map { new, old in
      "\(new.name) is \(PrintableText.quoted(new.value)) and was \(PrintableText.quoted(old.value))"
    }.joined(separator: ", ")
  }

  /// What is known of it.
  var document: JSONObject {
    JSONObject(parts.filter { !$0.value.isEmpty }.map { ($0.name, .string($0.value)) })
  }

  /// Reads what `document` wrote.
  init(document: JSONObject) {
    self.init(
      serial: document["serial"]?.string ?? "", model: document["model"]?.string ?? "",
      imu: document["imu"]?.string ?? "")
  }
}

/// A board of an admitted address that has not the serial number which the configuration names: nothing is applied to
/// it.
struct IdentityMismatch: Hashable, Sendable {
  let wanted: String
  /// Empty where the board does not say.
  let found: String

  /// Nil where the board is the one that is meant, or any is.
  init?(found: String, wanted: String?) {
    guard let wanted, found.lowercased() != wanted.lowercased() else { return nil }
    (self.wanted, self.found) = (wanted, found)
  }

  /// For people.
  var sentence: String {
    let part = found.isEmpty ? "the board tells no serial number" : "serial is \(PrintableText.quoted(found))"
    return "\(part), the configuration names \(PrintableText.quoted(wanted)): nothing is applied to the board"
  }
}
