import FleetModel

/// Text with escapes, as queries have it. Pure.
enum PercentText {
  /// Without escapes; nil where one is none, or the bytes are no text.
  static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard rest.count >= 2, let code = Hex.bytes(String(decoding: rest.prefix(2), as: UTF8.self))?.first
        else { return nil }
        bytes.append(code)
        rest = rest.dropFirst(2)
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
