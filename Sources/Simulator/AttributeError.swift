/// An error code of the attribute protocol.
package struct AttributeError: Error, Hashable, Sendable {
  package let code: UInt8

  package static let readNotPermitted = AttributeError(code: 0x02)
  package static let writeNotPermitted = AttributeError(code: 0x03)
  package static let invalidLength = AttributeError(code: 0x0D)
  /// Notifications have to be on, and are not.
  package static let configurationImproper = AttributeError(code: 0xFD)
  /// No such attribute.
  package static let attributeNotFound = AttributeError(code: 0x0A)
}

extension AttributeError: CustomStringConvertible {
  /// `0x0d`, as BlueZ writes it.
  package var description: String { (code < 16 ? "0x0" : "0x") + String(code, radix: 16) }
}
