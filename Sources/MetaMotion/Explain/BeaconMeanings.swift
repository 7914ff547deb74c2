import BoardKit
import FleetModel

/// Registers of the beacon (protocol reference, section 12).
enum BeaconMeanings {
  static let registers: [RegisterMeaning] = [
    .setting(0x01, "beacon") { $0.flag("on") },
    .setting(0x02, "UUID") { reader in
      guard reader.rest.count >= 16 else { return reader.bytes("UUID", 16) }
      let printed = Array(reader.rest.prefix(16).reversed()).hex
      reader.add("UUID", .string(printed))
      reader.skip(16)
    },
    .setting(0x03, "major") { $0.number("major", UInt16.self) },
    .setting(0x04, "minor") { $0.number("minor", UInt16.self) },
    .setting(0x05, "received power") { $0.number("power", Int8.self, "dBm") },
    .setting(0x06, "transmitted power") { $0.number("power", Int8.self, "dBm") },
    .setting(0x07, "period") { $0.number("period", UInt16.self, "ms") },
  ]
}
