package import BoardKit

/// What a board says to everybody in range.
package struct Advertisement: Sendable, Equatable {
  package let localName: String
  package let service: AttributeUUID
  /// By company identifier.
  package let manufacturerData: [UInt16: [UInt8]]
}
