/// Where newer firmware of boards is looked up, and how it is installed.
public struct FirmwareConfiguration: Hashable, Sendable {
  /// The index of releases: an https address, or a directory with a mirror of it.
  public var index = "https://mbientlab.com/releases/metawear/info2.json"
  /// Where the last index is kept; nil: `firmware` in the state directory.
  public var directory: String?
  /// Which packages may be installed.
  public var trust = Trust.firstUse
  /// How often a transfer that broke off is made anew at once.
  public var retries = 2
  /// Packets of an image that may be on the way to a board at a time.
  public var receipts = 10
  /// PEM file of the authorities that sign the server; nil: those of the system.
  public var authorities: String?

  /// Which packages may be installed. The vendor signs none.
  public enum Trust: String, Sendable, CaseIterable {
    /// Those that are what they were when they were first seen.
    case firstUse = "first-use"
    /// Only those whose SHA-256 a `firmware.lock` lists.
    case lock
  }

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
    retries = document["retries"]?.integer.map(Int.init(clamping:)) ?? retries
    receipts = document["receipts"]?.integer.map(Int.init(clamping:)) ?? receipts
    trust = document["trust"]?.string.flatMap { Trust(rawValue: $0) } ?? trust
  }

  /// Its keys.
  var document: JSONObject {
    var document: JSONObject = [
      "index": .string(index), "trust": .string(trust.rawValue),
      "retries": .integer(Int64(retries)), "receipts": .integer(Int64(receipts)),
    ]
    document["directory"] = directory.map { .string($0) }
    document["ca"] = authorities.map { .string($0) }
    return document
  }
}
