/// Lines on their way to whoever reads them, in bounds: what comes while they are full is dropped and counted (fault
/// F218). Pure.
struct LineQueue: Sendable {
  /// Bytes that wait at most.
  static let limit = 256 << 10

  private var bytes: [UInt8] = []
  private var dropped = 0

  var isEmpty: Bool { bytes.isEmpty && dropped == 0 }

  /// Takes a line, without its end. Once one was dropped, so are those behind it until there is room for all again:
  /// what is read is in order, and says where something is missing.
  mutating func add(_ line: String) {
    let line = Array(line.utf8) + [UInt8(ascii: "\n")]
    guard dropped == 0, bytes.count + line.count <= Self.limit else {
      dropped += 1
      return
    }
    bytes += line
  }

  /// All that waits, to be written; `notice` is the line that tells how many were dropped behind it.
  mutating func take(notice: (Int) -> String) -> [UInt8] {
    let count = dropped
    dropped = 0
    defer { bytes = [] }
    return count == 0 ? bytes : bytes + Array(notice(count).utf8) + [UInt8(ascii: "\n")]
  }
}
