/// Vector cases in which the product deliberately writes other bytes than the vendor's hosts.
struct Divergence: Sendable {
  let name: String
  /// Where the reason stands: a trap or a section of the protocol reference, or a section of the MQTT contract.
  let trap: String
  let writes: [[UInt8]]

  static let all = [
    Divergence(
      name: "settings-revision3-read-battery-state",
      trap: "T35: MetaMotion S firmware ignores the silent form",
      writes: [bytes("118c")]),
    Divergence(
      name: "meta-wear-board-init-error-timeout",
      trap: "MQTT contract 3.1: a read is repeated once after silence",
      writes: ["0180", "0280", "0380", "0480", "0480"].map(bytes)),
    Divergence(
      name: "sig-motion-configure",
      trap:
        "protocol reference, section 8.3: codes of proof and skip replace the chip's own, they are not added to them",
      writes: [bytes("030a00141422")]),
    Divergence(
      name: "timeout-log-sync-timeout",
      trap: "T14: some firmware says nothing of an empty slot; a second one is asked for before giving up",
      writes: ["0383", "1383", "1982", "0b8200", "0b8201"].map(bytes)),
    Divergence(
      name: "freefall-chain",
      trap:
        "T09: before firmware 1.2.3 comparators have one reference of four bytes; the slot is switched on first",
      writes: [
        "0f0201", "0f030303280c", "0f0309020304ffa007a501", "0f03090209030020030510",
        "0f030902090301200d09660200000000", "0f0309020903020006010000ffffffff",
        "0f030902090302000601000001000000", "0f0309070301", "0f03090301", "0f0309070401", "0f03090301",
        "0f0303020100", "0f03030101", "0f04",
      ].map(bytes)),
  ]

  static func of(_ name: String) -> Divergence? { all.first { $0.name == name } }
}
