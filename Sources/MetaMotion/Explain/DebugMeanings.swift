import BoardKit
import FleetModel

/// Registers of the debug module (protocol reference, section 27).
enum DebugMeanings {
  static let registers: [RegisterMeaning] = [
    .action(0x01, "reset now"), .action(0x02, "go to the bootloader"),
    .action(0x03, "act as if a signal had fired") { $0.bytes("signal and data") },
    .setting(0x04, "key") { $0.bytes("value", 4) },
    .action(0x05, "reset when disconnected"), .action(0x06, "drop the link"),
    .action(0x07, "power down at the next reset"),
    .action(0x08, "mark the application invalid") {
      $0.note("never send this: the board stays in its bootloader until it is flashed")
    },
    RegisterMeaning(
      number: 0x09, name: "stack", write: { $0.flag("reset on overflow") }, question: RegisterMeaning.nothing,
      answer: { reader in
        let stack = Debug.stack(reader.packet)
        guard reader.passed(3, if: stack != nil), let stack else { return }
        reader.add("reset on overflow", .bool(stack.isAsserted))
        reader.add("free", .integer(Int64(stack.freeBytes)), "bytes")
      }),
    .value(
      0x0A, "use of the scheduler's queue",
      question: { if !$0.rest.isEmpty { $0.choice("which", ["present", "allocated"]) } },
      { $0.bytes("use") }),
    .value(0x0B, "cause of the last reset") { reader in
      let cause = Debug.resetCause(reader.packet)
      if reader.passed(4, if: cause != nil), let cause { reader.add("cause", .string(cause.rawValue)) }
    },
    .action(0x0C, "DC/DC converter") { $0.flag("on") },
    .value(0x13, "health of the flash") { reader in
      reader.number("pages read without correction", UInt32.self)
      for bits in ["1–3", "4–6", "7–8"] { reader.number("pages with \(bits) bits corrected", UInt16.self) }
      reader.number("pages lost", UInt16.self)
      reader.number("pages unreadable", UInt16.self)
    },
  ]
}
