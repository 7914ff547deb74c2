import FleetModel

/// A profile that the verb `profile` chose for a board. It holds until the configuration names another one than then:
/// the file wins (MQTT contract 3.4, 7.4).
struct ProfileChoice: Hashable, Sendable {
  /// What was chosen.
  var name: String
  /// What the configuration named then.
  var replaced: String?

  init(name: String, replaced: String?) { (self.name, self.replaced) = (name, replaced) }

  /// Chooses `name`; nil where that is what the configuration names anyway.
  init?(_ name: String, insteadOf configured: String?) {
    guard name != configured else { return nil }
    self.init(name: name, replaced: configured)
  }

  /// The profile that counts, where the configuration names `configured`; a choice that is no longer there is none.
  static func name(
    _ choice: ProfileChoice?, over configured: String?, among profiles: [String: Profile]
  ) -> String? {
    guard let choice, choice.replaced == configured, profiles[choice.name] != nil else { return configured }
    return choice.name
  }
}

extension ProfileChoice {
  /// As kept on disk.
  var document: JSONObject {
    var document: JSONObject = ["name": .string(name)]
    document["replaced"] = replaced.map { .string($0) }
    return document
  }

  /// Reads what was kept; nil when it is none.
  init?(document: JSONObject) {
    guard let name = document["name"]?.string else { return nil }
    self.init(name: name, replaced: document["replaced"]?.string)
  }
}
