import BoardKit

/// A name the board can advertise (protocol reference, section 20).
struct AdvertisedName: Hashable, Sendable {
  let text: String

  static let register = Register(.settings, 0x01)

  /// What fits one packet, in which it is written; by USB a board can be given more (protocol reference, section 20.2).
  private static let writable = 1...18
  private static let readable = 1...26

  /// Takes 1–18 of `A-Z a-z 0-9 space _ -`, which is what fits one packet; nil for anything else.
  init?(_ text: String) {
    guard Self.isAllowed(text, Self.writable) else { return nil }
    self.text = text
  }

  /// Reads the answer to a read, as far as the board tells its name; nil when it holds none.
  init?(reply: [UInt8]) {
    let text = String(decoding: reply.dropFirst(2), as: UTF8.self)
    guard Self.isAllowed(text, Self.readable) else { return nil }
    self.text = text
  }

  private static func isAllowed(_ text: String, _ lengths: ClosedRange<Int>) -> Bool {
    lengths.contains(text.utf8.count)
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// Makes the board advertise the name.
  var command: [UInt8] { Self.register.write(Array(text.utf8)) }
}
