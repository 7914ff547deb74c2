import BoardKit

/// What came of a page, in order, and which of its packets came before (fault F155). Pure.
///
/// A radio may hand out a packet twice, at once or some packets later. Whether the second one was written by the board,
/// too, for several samples may share a tick and be alike, only the count tells that the board announces.
struct LogPageBuffer: Sendable {
  /// Packets back to which one is compared.
  private static let window = 8

  /// Whole entries.
  private(set) var bytes: [UInt8] = []
  /// The latest packets.
  private var latest: [LogPageCheck.Copy] = []
  /// Where packets lie that equal one shortly before them.
  private var repeats: [Range<Int>] = []

  /// Room for a page.
  init() { bytes.reserveCapacity(LogDownloadMachine.pieceLimit * LogEntry.size) }

  var isEmpty: Bool { bytes.isEmpty }

  /// Entries of packets that equal one shortly before them.
  var repeated: Int { repeats.reduce(0) { $0 + $1.count } / LogEntry.size }

  /// Entries but those of repeated packets.
  var count: Int { bytes.count / LogEntry.size - repeated }

  /// Whether an equal packet came shortly before.
  func hasLately(_ packet: LogPageCheck.Copy) -> Bool { latest.contains(packet) }

  /// Takes the entries of a packet, which `copy` is of.
  mutating func take(_ entries: RawSpan, _ copy: LogPageCheck.Copy) {
    let start = bytes.count
    entries.withUnsafeBytes { bytes.append(contentsOf: $0) }
    if hasLately(copy) { repeats.append(start..<bytes.count) }
    if latest.count == Self.window { latest.removeFirst() }
    latest.append(copy)
  }

  /// The same without the entries of repeated packets.
  var withoutRepeats: LogPageBuffer {
    var (kept, next): ([UInt8], Int) = ([], 0)
    for place in repeats {
      kept += bytes[next..<place.lowerBound]
      next = place.upperBound
    }
    var copy = self
    (copy.bytes, copy.repeats) = (kept + bytes[next...], [])
    return copy
  }
}
