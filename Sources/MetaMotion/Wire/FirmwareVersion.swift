/// A firmware's number, such as 1.7.3 (protocol reference, section 1.1).
struct FirmwareVersion: Hashable, Sendable, Comparable {
  let major, minor, step: Int

  init(_ major: Int, _ minor: Int, _ step: Int) {
    (self.major, self.minor, self.step) = (major, minor, step)
  }

  /// Reads `major.minor.step`; parts that are missing or no numbers count as 0.
  init(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    func part(_ index: Int) -> Int { parts.indices.contains(index) ? parts[index] : 0 }
    self.init(part(0), part(1), part(2))
  }

  static func < (left: FirmwareVersion, right: FirmwareVersion) -> Bool {
    (left.major, left.minor, left.step) < (right.major, right.minor, right.step)
  }
}
