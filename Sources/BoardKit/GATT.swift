/// A 128-bit attribute UUID in the canonical lower-case form, as BlueZ writes it.
public struct AttributeUUID: Hashable, Sendable, CustomStringConvertible {
  /// `326a9001-85cb-9195-d9dd-464cfbbae75a`.
  public let description: String

  /// Takes a 128-bit UUID in any case.
  public init(_ text: String) { description = text.lowercased() }

  /// A UUID assigned by the Bluetooth SIG.
  public init(assigned number: UInt16) {
    let digits = String(number, radix: 16)
    let padding = String(repeating: "0", count: 4 - digits.utf8.count)
    description = "0000\(padding)\(digits)-0000-1000-8000-00805f9b34fb"
  }
}

/// A characteristic of a service. A board has at most one of each pair.
public struct Characteristic: Hashable, Sendable {
  /// The service it belongs to.
  public let service: AttributeUUID
  /// The characteristic itself.
  public let uuid: AttributeUUID

  /// Names a characteristic.
  public init(service: AttributeUUID, uuid: AttributeUUID) {
    self.service = service
    self.uuid = uuid
  }
}

/// How a value is written (ATT's write command and write request).
public enum WriteKind: Sendable {
  /// Without response: done when it is queued.
  case command
  /// With response: done when the board's stack acknowledged it.
  case request
}
