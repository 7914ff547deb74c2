import FleetModel

/// An index as it came, with where it is from and when: the file that outlives the process.
struct KeptIndex: Hashable, Sendable {
  var origin: FirmwareReport.Index
  var bytes: [UInt8]

  private static let mark = "metafleet-firmware-index"

  init(_ bytes: [UInt8], from origin: FirmwareReport.Index) { (self.bytes, self.origin) = (bytes, origin) }

  /// Reads a file; nil when it is none of ours, or not whole.
  init?(file: [UInt8]) {
    guard let end = file.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let words = String(decoding: file[..<end], as: UTF8.self).split(separator: " ", maxSplits: 3)
    guard words.count == 4, words[0] == Self.mark, let time = Int64(words[1]), let count = Int(words[2]),
      file.count - end - 1 == count
    else { return nil }
    self.init(
      Array(file[(end + 1)...]),
      from: FirmwareReport.Index(source: String(words[3]), fetched: Timestamp(milliseconds: time)))
  }

  /// What stands in the file: one line, then the index.
  var file: [UInt8] {
    let time = origin.fetched.nanoseconds / 1_000_000
    return Array("\(Self.mark) \(time) \(bytes.count) \(origin.source)\n".utf8) + bytes
  }
}
