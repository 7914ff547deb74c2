/// Where newer firmware of boards is looked up.
public struct FirmwareConfiguration: Hashable, Sendable {
  /// The index of releases: an https address, or a directory with a mirror of it.
  public var index = "https://mbientlab.com/releases/metawear/info2.json"
  /// Where the last index is kept; nil: `firmware` in the state directory.
  public var directory: String?
  /// PEM file of the authorities that sign the server; nil: those of the system.
  public var authorities: String?

  /// All defaults.
  public init() {}
}

/// As the section `firmware` of the file says it.
extension FirmwareConfiguration {
  /// Reads checked keys; what is missing has its default.
  init(document: JSONObject) {
    index = document["index"]?.string ?? index
    directory = document["directory"]?.string
    authorities = document["ca"]?.string
  }

  /// Its keys.
  var document: JSONObject {
    var document: JSONObject = ["index": .string(index)]
    document["directory"] = directory.map { .string($0) }
    document["ca"] = authorities.map { .string($0) }
    return document
  }
}
