/// `ibeacon` (MQTT contract 3.9).
enum BeaconVerb {
  static let beacon = VerbDefinition(
    "ibeacon", .board,
    "Makes the board an iBeacon whenever nobody is connected to it; it is then out of reach of streams.",
    [
      Parameter("enabled", .boolean, standard: true, "whether it is one"),
      Parameter("uuid", .text(32...36), "whose beacon it is"),
      Parameter("major", .integer(0...65_535), "which group"),
      Parameter("minor", .integer(0...65_535), "which of the group"),
      Parameter("rx_dbm", .integer(-128...127), standard: -55, "what a receiver hears a metre away"),
      Parameter("tx_dbm", .integer(-128...127), standard: 0, "how loud it is"),
      Parameter("period_ms", .integer(100...10_240), standard: 700, "from message to message"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .beacon(
        BeaconCommand(
          isEnabled: arguments["enabled"]?.bool ?? true, uuid: try uuid(arguments["uuid"]?.string),
          major: arguments["major"]?.integer.map { UInt16(clamping: $0) },
          minor: arguments["minor"]?.integer.map { UInt16(clamping: $0) },
          receivedPower: Int8(clamping: arguments["rx_dbm"]?.integer ?? -55),
          transmittedPower: Int8(clamping: arguments["tx_dbm"]?.integer ?? 0),
          periodMilliseconds: UInt16(clamping: arguments["period_ms"]?.integer ?? 700)))
    })

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
