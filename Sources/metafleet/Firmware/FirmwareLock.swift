import FleetModel

/// Which content every file of a mirror had when it was first seen, as `sha256sum` writes it: the vendor signs nothing,
/// so what was trusted once is what is trusted from then on.
struct FirmwareLock: Hashable, Sendable {
  /// Name of the file in the mirror.
  static let name = "firmware.lock"

  /// Of a file: 64 hexadecimal digits.
  private(set) var sums: [String: String] = [:]

  /// What becomes of a file.
  enum Verdict: Hashable, Sendable {
    case new, same, changed
  }

  init() {}

  /// Reads a file; a failure names the line.
  init(_ text: String) throws(CommandFailure) {
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    where !line.isEmpty {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0].count == 64, parts[0].allSatisfy(\.isHexDigit), parts[1].count > 1,
        let mark = parts[1].first, mark == " " || mark == "*"
      else { throw .invalid("line \(number + 1) of \(Self.name) is no sum and file") }
      sums[String(parts[1].dropFirst())] = parts[0].lowercased()
    }
  }

  /// What stands in the file.
  var text: String { sums.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)\n" }.joined() }

  /// How a file compares with what was seen first.
  func judge(_ path: String, _ content: [UInt8]) -> Verdict {
    guard let first = sums[path] else { return .new }
    return first == Self.sum(of: content) ? .same : .changed
  }

  /// Trusts a file that was never seen before.
  mutating func trust(_ path: String, _ content: [UInt8]) {
    if sums[path] == nil { sums[path] = Self.sum(of: content) }
  }

  private static func sum(of content: [UInt8]) -> String {
    SHA256.digest(of: content).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
