import BoardKit
import DBus

/// What a client wants to hear of while it discovers (`SetDiscoveryFilter`).
struct DiscoveryFilter: Sendable, Equatable {
  /// The options that BlueZ knows.
  static let options = ["UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"]

  private var services: Set<AttributeUUID> = []
  private var minimumRSSI: Int?
  private var isClassicOnly = false
  private var pattern = ""

  /// Everything passes.
  init() {}

  /// Refuses unknown options, wrong types and impossible values, as BlueZ does.
  init(_ options: [String: DBusValue]) throws(DBusFailure) {
    for (name, value) in options {
      switch (name, value) {
      case ("UUIDs", .array(of: "s", let texts)):
        services = Set(try texts.map { text throws(DBusFailure) in try Self.uuid(text.text ?? "") })
      case ("RSSI", .int16(let rssi)) where options["Pathloss"] == nil && (-127...20).contains(rssi):
        minimumRSSI = Int(rssi)
      case ("Pathloss", .uint16(let loss)) where options["RSSI"] == nil && loss <= 137: break
      case ("Transport", .string(let transport)) where ["auto", "le", "bredr"].contains(transport):
        isClassicOnly = transport == "bredr"
      case ("Pattern", .string(let prefix)): pattern = prefix
      case ("DuplicateData", .boolean), ("Discoverable", .boolean): break
      default: throw .invalidArguments
      }
    }
  }

  func passes(_ advertisement: Advertisement, address: String, rssi: Int) -> Bool {
    guard !isClassicOnly, rssi >= minimumRSSI ?? Int.min else { return false }
    guard pattern.isEmpty || address.hasPrefix(pattern) || advertisement.localName.hasPrefix(pattern) else {
      return false
    }
    return services.isEmpty || services.contains(advertisement.service)
  }

  /// A 16- or 32-bit number in hexadecimal, or 36 characters.
  private static func uuid(_ text: String) throws(DBusFailure) -> AttributeUUID {
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
    if digits.count <= 4, let number = UInt16(digits, radix: 16) { return AttributeUUID(assigned: number) }
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12], groups.allSatisfy({ UInt64($0, radix: 16) != nil }) else {
      throw .invalidArguments
    }
    return AttributeUUID(text)
  }
}
