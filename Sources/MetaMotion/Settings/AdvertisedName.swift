import BoardKit

/// A name the board can advertise (protocol reference, section 20).
struct AdvertisedName: Hashable, Sendable {
  let text: String

  static let register = Register(.settings, 0x01)

  /// Takes 1–18 of `A-Z a-z 0-9 space _ -`, which is what fits one packet; nil for anything else.
  init?(_ text: String) {
    let isAllowed = text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isAllowed, (1...18).contains(text.utf8.count) else { return nil }
    self.text = text
  }

  /// Reads the answer to a read; nil when it holds no name.
  init?(reply: [UInt8]) { self.init(String(decoding: reply.dropFirst(2), as: UTF8.self)) }

  /// Makes the board advertise the name.
  var command: [UInt8] { Self.register.write(Array(text.utf8)) }
}
