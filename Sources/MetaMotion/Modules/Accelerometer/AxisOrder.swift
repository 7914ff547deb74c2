import BoardKit

/// Which of the BMI270's own axes the board's come from, and which are turned round (protocol reference, section 9.4).
struct AxisOrder: Hashable, Sendable {
  /// For x, y and z: the chip's axis 0–2, and whether it is inverted.
  let sources: [(axis: UInt8, isInverted: Bool)]

  /// Takes a word such as `xyz` or `yx-z`; nil unless it names each axis once.
  init?(_ word: String) {
    var sources: [(axis: UInt8, isInverted: Bool)] = []
    var isInverted = false
    for letter in word {
      if letter == "-", !isInverted {
        isInverted = true
        continue
      }
      guard let axis = Array("xyz").firstIndex(of: letter) else { return nil }
      sources.append((UInt8(axis), isInverted))
      isInverted = false
    }
    guard !isInverted, sources.count == 3, Set(sources.map(\.axis)).count == 3 else { return nil }
    self.sources = sources
  }

  /// Three bits for each axis, in the chip's feature block 0.
  var command: [UInt8] {
    var bits: UInt16 = 0
    for (place, source) in sources.enumerated() {
      bits |= (UInt16(source.axis) | (source.isInverted ? 4 : 0)) << (3 * place)
    }
    var payload: [UInt8] = [0]
    payload.append(number: bits)
    return BMI270Features.block.write(payload)
  }

  /// The word this order is written by.
  var word: String { sources.map { ($0.isInverted ? "-" : "") + Axes.name(Int($0.axis)) }.joined() }

  static func == (left: AxisOrder, right: AxisOrder) -> Bool { left.command == right.command }
  func hash(into hasher: inout Hasher) { hasher.combine(command) }
}
