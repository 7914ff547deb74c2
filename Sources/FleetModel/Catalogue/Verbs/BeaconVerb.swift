/// `ibeacon` (MQTT contract 3.9).
enum BeaconVerb {
  static let beacon = VerbDefinition(
    "ibeacon", .board,
    "Makes the board advertise as an iBeacon while it is not connected; it cannot stream meanwhile.",
    parameters,
    checked: { (arguments: JSONObject) throws(CommandFailure) in .device(.beacon(try command(arguments))) }
  )
  .answering(
    [Parameter("enabled", .boolean, required: true, "whether it is one")], by: [.linkWrite],
    failing: [.unsupported],
    example: ["uuid": "326a9006-85cb-9195-d9dd-464cfbbae75a", "major": 78, "minor": 1])

  private static let parameters = [
    Parameter("enabled", .boolean, standard: true, "whether it is one"),
    Parameter("uuid", .text(32...36), "proximity UUID"),
    Parameter("major", .integer(0...65_535), "major number"),
    Parameter("minor", .integer(0...65_535), "minor number"),
    Parameter("rx_dbm", .integer(-128...127), standard: -55, "RSSI at one metre"),
    Parameter("tx_dbm", .integer(-128...127), standard: 0, "transmission power"),
    Parameter("period_ms", .integer(100...10_240), standard: 700, "advertising interval"),
  ]

  /// As an action: what is left out stays as it is, so that one packet sets one thing.
  static func action(_ arguments: JSONObject) throws(CommandFailure) -> BeaconCommand {
    let optional = parameters.map { Parameter($0.name, $0.type, $0.summary) }
    let keys = try ArgumentValidation.validate(arguments, against: optional, of: "ibeacon").values
    guard !keys.isEmpty else { throw .invalid("ibeacon needs at least one of its keys as an action") }
    return try command(keys)
  }

  private static func command(_ keys: JSONObject) throws(CommandFailure) -> BeaconCommand {
    BeaconCommand(
      isEnabled: keys["enabled"]?.bool, uuid: try uuid(keys["uuid"]?.string),
      major: keys["major"]?.integer.map { UInt16(clamping: $0) },
      minor: keys["minor"]?.integer.map { UInt16(clamping: $0) },
      receivedPower: keys["rx_dbm"]?.integer.map { Int8(clamping: $0) },
      transmittedPower: keys["tx_dbm"]?.integer.map { Int8(clamping: $0) },
      periodMilliseconds: keys["period_ms"]?.integer.map { UInt16(clamping: $0) })
  }

  private static func uuid(_ text: String?) throws(CommandFailure) -> [UInt8]? {
    guard let text else { return nil }
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    let isWellFormed = groups.count == 1 || groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
    guard isWellFormed, let bytes = Hex.bytes(groups.joined()), bytes.count == 16 else {
      throw .invalid("uuid must be like 326a9006-85cb-9195-d9dd-464cfbbae75a")
    }
    return bytes
  }
}
