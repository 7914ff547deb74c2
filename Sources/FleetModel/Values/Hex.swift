/// Bytes as people write them.
public enum Hex {
  /// Lower case, without separators.
  public static func string(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads hex digits in any case, with spaces and colons between bytes; nil when it is anything else.
  public static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var half: UInt8?
    for character in text {
      if character == " " || character == ":" {
        guard half == nil else { return nil }
        continue
      }
      guard character.isASCII, let digit = character.hexDigitValue else { return nil }
      if let high = half {
        bytes.append(high << 4 | UInt8(digit))
        half = nil
      } else {
        half = UInt8(digit)
      }
    }
    return half == nil ? bytes : nil
  }
}
