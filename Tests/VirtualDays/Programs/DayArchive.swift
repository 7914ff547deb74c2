import FleetModel
import Glibc

/// Keeps in a file what subscribers got on the lanes that carry samples, in order, what came twice as well: a line with
/// the topic and how many bytes the payload has, the payload, and the end of a line.
struct DayArchive: Sendable {
  private static let lanes: Set<Substring> = ["record", "log", "lp", "cbor"]
  private let file: Int32

  /// Makes the file, or empties it.
  init(_ path: String) throws(DayArchiveError) {
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    if file < 0 { throw DayArchiveError(path: path, code: errno) }
  }

  func keep(_ message: MQTTMessage) {
    let levels = message.topic.split(separator: "/")
    guard levels.count == 5, Self.lanes.contains(levels[3]) else { return }
    var bytes = Array("\(message.topic) \(message.payload.count)\n".utf8)
    bytes += message.payload
    bytes.append(UInt8(ascii: "\n"))
    while !bytes.isEmpty {
      let count = write(file, bytes, bytes.count)
      // Whoever reads it finds it cut off.
      guard count > 0 else { return }
      bytes.removeFirst(count)
    }
  }
}

/// The file cannot be made.
struct DayArchiveError: Error, CustomStringConvertible {
  let path: String
  let code: Int32

  var description: String { "\(path) cannot be written: \(String(cString: strerror(code)))" }
}
