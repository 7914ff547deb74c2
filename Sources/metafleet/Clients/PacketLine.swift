import FleetModel
import MetaMotion

/// A packet as people write it, perhaps with who sent it.
struct PacketLine: Hashable, Sendable {
  /// What a line may begin with.
  private static let marks: [(String, PacketExplanation.Sender)] = [
    (">", .host), ("<", .board), ("host", .host), ("board", .board),
  ]

  var bytes: [UInt8]
  /// Nil when the line does not say.
  var sender: PacketExplanation.Sender?

  /// Reads a line; nil when there is nothing in it but a comment.
  init?(_ line: String) throws(CommandLineFailure) {
    var text = Self.trimmed(line.prefix { $0 != "#" })
    guard !text.isEmpty else { return nil }
    if let (mark, sender) = Self.marks.first(where: { text.hasPrefix($0.0) }) {
      self.sender = sender
      text = Self.trimmed(text.dropFirst(mark.count).drop { $0 == ":" })
    }
    let digits = text.split(whereSeparator: { " \t,-".contains($0) }).map { word in
      word.hasPrefix("0x") || word.hasPrefix("0X") ? word.dropFirst(2) : word
    }
    guard let bytes = Hex.bytes(digits.joined(separator: " ")), !bytes.isEmpty else {
      throw CommandLineFailure(
        .usage,
        "\(quoted(line)) is not a packet; write its bytes in hex, two digits each, such as 11 8c 63 34 10")
    }
    self.bytes = bytes
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
