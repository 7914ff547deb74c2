/// Who a gateway is.
public struct GatewayIdentity: Hashable, Sendable {
  /// Identifier in topics: `[a-z0-9][a-z0-9_-]{0,31}`.
  public var id: String
  /// Where it stands, for people.
  public var site: String?

  /// Names a gateway.
  public init(id: String, site: String?) {
    self.id = id
    self.site = site
  }
}

/// As the section `gateway` of the file says it.
extension GatewayIdentity {
  /// Reads checked keys; `id` is the name where they have none.
  init(document: JSONObject, id: String) {
    self.init(id: document["id"]?.string ?? id, site: document["site"]?.string)
  }

  /// Its keys.
  var document: JSONObject {
    var document: JSONObject = ["id": .string(id)]
    document["site"] = site.map { .string($0) }
    return document
  }
}
