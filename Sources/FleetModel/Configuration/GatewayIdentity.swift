/// Who a gateway is.
public struct GatewayIdentity: Hashable, Sendable {
  /// Identifier in topics: `[a-z0-9][a-z0-9_-]{0,31}`.
  public var id: String
  /// Where it stands, for people.
  public var site: String?
  /// Name of the time zone there; nil = the host's. Its rules are `FleetConfiguration.timeZone`.
  public var timeZone: String?

  /// Names a gateway.
  public init(id: String, site: String?, timeZone: String? = nil) {
    (self.id, self.site, self.timeZone) = (id, site, timeZone)
  }
}

/// As the section `gateway` of the file says it.
extension GatewayIdentity {
  /// Reads checked keys; `id` is the name where they have none.
  init(document: JSONObject, id: String) {
    self.init(
      id: document["id"]?.string ?? id, site: document["site"]?.string,
      timeZone: document["timezone"]?.string)
  }

  /// Its keys.
  var document: JSONObject {
    var document: JSONObject = ["id": .string(id)]
    document["site"] = site.map { .string($0) }
    document["timezone"] = timeZone.map { .string($0) }
    return document
  }
}
