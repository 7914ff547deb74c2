/// A board of the file.
public struct BoardConfiguration: Hashable, Sendable {
  /// Which board.
  public var board: BoardID
  public var name, site, profile: String?
  /// Groups it belongs to.
  public var groups: [String] = []
  /// Labels for people and dashboards.
  public var labels: [String: String] = [:]
  /// The serial number it must have; nil = any.
  public var serial: String?
  /// Adapter it must use; nil = any.
  public var adapter: AdapterID?
  /// Whether we may connect to it.
  public var isEnabled = true

  /// Lists a board.
  public init(board: BoardID) { self.board = board }
}

/// As an element of `boards` says it.
extension BoardConfiguration {
  /// Reads checked keys; nil without an address.
  init?(document: JSONObject) {
    guard let address = document["address"]?.address else { return nil }
    self.init(board: BoardID(address))
    name = document["name"]?.string
    site = document["site"]?.string
    profile = document["profile"]?.string
    groups = document["groups"]?.array?.compactMap(\.string) ?? groups
    for (key, value) in document["labels"]?.object?.members ?? [] { labels[key] = value.string }
    serial = document["serial"]?.string
    adapter = document["adapter"]?.address.map { AdapterID($0) }
    isEnabled = document["enabled"]?.bool ?? isEnabled
  }

  /// Its keys.
  var document: JSONObject {
    var document: JSONObject = ["address": .string(board.address.compact)]
    document["name"] = name.map { .string($0) }
    document["site"] = site.map { .string($0) }
    document["profile"] = profile.map { .string($0) }
    document["groups"] = .array(groups.map { .string($0) })
    document["labels"] = .object(
      JSONObject(labels.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    document["serial"] = serial.map { .string($0) }
    document["adapter"] = adapter.map { .string($0.address.compact) }
    document["enabled"] = .bool(isEnabled)
    return document
  }
}
