/// A host's packet, split into the parts of its two header bytes (protocol reference 2.1 and 2.2).
package struct Packet: Equatable, Sendable {
  package enum Verb: Sendable {
    case write
    /// The value goes to the host.
    case read
    /// The value goes to consumers on the board only; the host hears nothing.
    case silentRead
  }

  /// Both characteristics are 20 bytes long (protocol reference 2.1).
  package static let maximumLength = 20

  package let module: UInt8
  package let register: UInt8
  package let verb: Verb
  package let payload: [UInt8]

  /// Nil for what is no packet: shorter than a header, longer than the characteristic, or silent without
  /// being a read.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 2, bytes.count <= Self.maximumLength else { return nil }
    switch bytes[1] & 0xC0 {
    case 0x00: verb = .write
    case 0x80: verb = .read
    case 0xC0: verb = .silentRead
    default: return nil
    }
    module = bytes[0]
    register = bytes[1] & 0x3F
    payload = Array(bytes[2...])
  }

  /// The answer to a read: module and register repeated, always with the read flag and never silent.
  static func reply(module: UInt8, register: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [module, 0x80 | register] + payload
  }

  /// What a stream or a created object sends: the register without flags.
  static func notification(module: UInt8, register: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [module, register] + payload
  }
}
