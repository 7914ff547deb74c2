/// Vector cases in which the product deliberately writes other bytes than the vendor's hosts.
struct Divergence: Sendable {
  let name: String
  /// Where the reason stands: a row of section 37 of the protocol reference, or a section of the MQTT contract.
  let trap: String
  let writes: [[UInt8]]

  static let all = [
    Divergence(
      name: "settings-revision3-read-battery-state",
      trap: "37-35: MetaMotion S firmware ignores the silent form",
      writes: [bytes("118c")]),
    Divergence(
      name: "meta-wear-board-init-error-timeout",
      trap: "contract 3.1: a read is repeated once after silence",
      writes: ["0180", "0280", "0380", "0480", "0480"].map(bytes)),
    Divergence(
      name: "sig-motion-configure",
      trap: "section 8.3: the codes of proof and skip replace the chip's own, they are not added to them",
      writes: [bytes("030a00141422")]),
  ]

  static func of(_ name: String) -> Divergence? { all.first { $0.name == name } }
}
