import BoardKit

/// As much of the barometer as its temperature needs (protocol reference, sections 10 and 21).
enum Barometer {
  static let sampling = Register(.barometer, 0x04)

  static let start = sampling.write(1, 1)
  static let stop = sampling.write(0, 0)

  /// Whether it samples, from the answer to a read of `sampling`; nil when it is none.
  static func isSampling(_ reply: [UInt8]) -> Bool? { reply.number(at: 2, as: UInt8.self).map { $0 != 0 } }
}
