/// A choice of axes: bits 0–2 for x, y and z, as the chips count.
struct Axes: Hashable, Sendable {
  let bits: UInt8

  /// Takes the letters of a word such as `xz`.
  init(_ word: String) {
    var bits: UInt8 = 0
    for (place, letter) in "xyz".enumerated() where word.contains(letter) { bits |= 1 << place }
    self.bits = bits
  }

  /// The letter of axis 0–2.
  static func name(_ axis: Int) -> String { ["x", "y", "z"][min(max(axis, 0), 2)] }
}
