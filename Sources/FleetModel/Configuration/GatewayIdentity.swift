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
