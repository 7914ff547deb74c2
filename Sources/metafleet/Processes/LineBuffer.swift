/// Makes lines of bytes as they come in.
struct LineBuffer: Sendable {
  /// What is longer is cut: nobody writes such lines, and memory is bounded.
  static let longest = 4_096

  private var bytes: [UInt8] = []

  /// The lines that are complete now, without their ends.
  mutating func take(_ new: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in new {
      if byte == UInt8(ascii: "\n") {
        lines.append(flush() ?? "")
      } else if bytes.count < Self.longest {
        bytes.append(byte)
      }
    }
    return lines
  }

  /// What is left at the end; nil for nothing.
  mutating func flush() -> String? {
    defer { bytes = [] }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
