import BoardKit
import FleetModel

/// Reads how a board presents and connects itself, under the keys of the verb `settings` (MQTT contract 3.3, 3.9).
struct SettingsInspection {
  let exchange: Exchange
  let inventory: Inventory

  /// One key of the contract: where it stands and how it reads.
  struct Entry: Sendable {
    var key: String
    var register: Register
    /// The first revision of the settings module that tells it.
    var firstRevision: UInt8 = 0
    var value: @Sendable (_ reply: [UInt8], _ revision: UInt8) -> JSONValue?
  }

  static let entries: [Entry] = [
    Entry(key: "name", register: AdvertisedName.register) { reply, _ in
      AdvertisedName(reply: reply).map { .string($0.text) }
    },
    Entry(key: "tx_dbm", register: TransmissionPower.register) { reply, _ in
      TransmissionPower.power(reply).map { .integer(Int64($0)) }
    },
    Entry(key: "advertising", register: Advertising.register) { reply, revision in
      Advertising(reply).map { .object($0.contractKeys(revision: revision)) }
    },
    Entry(key: "connection", register: RadioSettings.connection, firstRevision: 1) { reply, _ in
      RadioSettings.Connection(reply).map { .object($0.contractKeys) }
    },
    Entry(key: "scan_response", register: ScanResponse.register) { reply, _ in
      ScanResponse.bytes(reply).map { .string(Hex.string($0)) }
    },
    Entry(key: "regulator_3v", register: RadioSettings.regulator, firstRevision: 9, value: Self.flag),
    Entry(key: "force_1m_phy", register: RadioSettings.forceOneMegabit, firstRevision: 10, value: Self.flag),
  ]

  private static let flag: @Sendable ([UInt8], UInt8) -> JSONValue? = { reply, _ in
    reply.number(at: 2, as: UInt8.self).map { .bool($0 != 0) }
  }

  /// All that the board tells; what its firmware is silent about is left out.
  func read() async throws(CommandFailure) -> JSONObject {
    guard let revision = inventory.revision(of: .settings) else {
      throw CommandFailure(.unsupported, "this \(inventory.model.rawValue) has no settings")
    }
    do throws(ProtocolFailure) {
      var data = JSONObject()
      for entry in Self.entries
      where revision >= entry.firstRevision && SettingsPlan.exists(entry.key, on: inventory) {
        guard let reply = try await exchange.probe(entry.register) else { continue }
        data[entry.key] = entry.value(reply, revision)
      }
      if let addresses = try await whitelist(revision) {
        data["whitelist"] = ["addresses": .array(addresses)]
      }
      return data
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Entries up to the first empty one; whom the list keeps away cannot be read.
  private func whitelist(_ revision: UInt8) async throws(ProtocolFailure) -> [JSONValue]? {
    guard revision >= Whitelist.firstRevision else { return nil }
    var addresses: [JSONValue] = []
    for entry in Whitelist.entries {
      guard let reply = try await exchange.probe(Whitelist.entry, UInt8(entry)) else {
        return addresses.isEmpty ? nil : addresses
      }
      guard let (address, _) = Whitelist.address(reply, of: UInt8(entry)), address.rawValue != 0 else {
        break
      }
      addresses.append(.string(address.colonSeparated))
    }
    return addresses
  }
}
