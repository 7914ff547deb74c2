import BoardKit
import FleetModel

/// Registers of the settings (protocol reference, section 20).
enum SettingsMeanings {
  static let registers: [RegisterMeaning] = [
    .setting(0x01, "device name") { $0.text("name") },
    .setting(0x02, "advertising") { reader in
      // Hosts since revision 1 of the module; before, the number was milliseconds.
      reader.scaled("interval", UInt16.self, per: 1.6, "ms")
      reader.number("time-out", UInt8.self, "s")
      if !reader.rest.isEmpty { reader.number("type", UInt8.self) }
    },
    .setting(0x03, "transmission power") { $0.number("power", Int8.self, "dBm") },
    .setting(0x04, "bonds") { $0.choice("when disconnected", ["keep", "delete"]) },
    .action(0x05, "start advertising"), .action(0x06, "ask for bonding"),
    .setting(0x07, "scan response") { $0.bytes("response") },
    .action(0x08, "scan response, first part") { $0.bytes("response") },
    .setting(0x09, "connection parameters") { reader in
      reader.scaled("shortest interval", UInt16.self, per: 0.8, "ms")
      reader.scaled("longest interval", UInt16.self, per: 0.8, "ms")
      reader.number("latency", UInt16.self, "intervals")
      reader.scaled("supervision time-out", UInt16.self, per: 0.1, "ms")
    },
    RegisterMeaning(number: 0x0A, name: "disconnected", notification: RegisterMeaning.nothing),
    .value(0x0B, "hardware address") { reader in
      let hardware = HardwareAddress(reader.packet)
      guard reader.passed(reader.rest.count >= 7 ? 7 : 6, if: hardware != nil), let hardware else { return }
      reader.add("address", .string(hardware.address.colonSeparated))
      if let kind = hardware.kind { reader.add("kind", .string(kind.name)) }
    },
    RegisterMeaning(
      number: Battery.state.register.number, name: Battery.state.title, question: RegisterMeaning.nothing,
      answer: Battery.state.sample, notification: Battery.state.sample),
    .value(0x0D, "watchdog") { $0.flag("on") },
    .setting(0x0E, "watchdog, period") { reader in
      reader.number("period less one", UInt32.self, "× 1/32768 s")
      reader.bits("flags", ["run while asleep"])
    },
    .setting(0x0F, "watchdog, refresh") { $0.bits("on", ["activity", "sleep"]) },
    .action(0x10, "watchdog, refresh now"),
    .action(0x13, "whitelist, filter") {
      $0.choice("for", ["any", "scan requests", "connections", "both"])
    },
    RegisterMeaning(
      number: 0x14, name: "whitelist, entry", write: listed, question: { $0.number("entry", UInt8.self) },
      answer: listed),
    .value(0x15, "address of the connected host", peer),
    .setting(0x1C, "3 V regulator") { $0.flag("on") },
    .setting(0x1D, "1M PHY") { $0.flag("forced") },
  ]

  private static let listed: RegisterMeaning.Layout = { reader in
    reader.number("entry", UInt8.self)
    peer(&reader)
  }

  private static let peer: RegisterMeaning.Layout = { reader in
    reader.choice("kind of address", ["public", "random-static", "resolvable", "non-resolvable"])
    guard reader.rest.count >= 6 else { return reader.bytes("address", 6) }
    let raw = reader.rest.prefix(6).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    reader.add("address", .string(BluetoothAddress(rawValue: raw).colonSeparated))
    reader.skip(6)
  }
}
