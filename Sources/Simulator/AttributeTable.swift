package import BoardKit

/// A service of a board, as a central discovers it.
package struct AttributeService: Sendable, Equatable {
  package let uuid: AttributeUUID
  package let characteristics: [Attribute]

  /// A characteristic and what may be done with it.
  package struct Attribute: Sendable, Equatable {
    package let uuid: AttributeUUID
    package let properties: AttributeProperties
  }

  init(_ uuid: AttributeUUID, _ characteristics: [(AttributeUUID, AttributeProperties)]) {
    self.uuid = uuid
    self.characteristics = characteristics.map { Attribute(uuid: $0, properties: $1) }
  }
}

/// The properties of a characteristic, with the bits of the Bluetooth specification.
package struct AttributeProperties: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let read = AttributeProperties(rawValue: 0x02)
  package static let writeWithoutResponse = AttributeProperties(rawValue: 0x04)
  package static let write = AttributeProperties(rawValue: 0x08)
  package static let notify = AttributeProperties(rawValue: 0x10)
  package static let indicate = AttributeProperties(rawValue: 0x20)
}
