import BoardKit
import FleetModel

/// Registers of the processors (protocol reference, section 14).
enum ProcessorMeanings {
  static let registers: [RegisterMeaning] = [
    .setting(0x01, "processors") { $0.flag("on") },
    RegisterMeaning(
      number: 0x02, name: "processor", write: definition, question: slot,
      answer: { reader in
        if reader.rest.isEmpty { reader.note("the slot is empty") } else { definition(&reader) }
      }, notification: slot),
    RegisterMeaning(
      number: 0x03, name: "output of a processor", write: RegisterMeaning.subscription,
      notification: { reader in
        slot(&reader)
        reader.bytes("data")
      }),
    RegisterMeaning(number: 0x04, name: "state of a processor", write: state, question: slot, answer: state),
    .action(0x05, "configuration of a processor") { reader in
      slot(&reader)
      operation(&reader)
    },
    .action(0x06, "remove a processor", slot),
    .action(0x07, "tell a processor's output") { reader in
      slot(&reader)
      reader.flag("on")
    },
    .action(0x08, "remove all processors"),
  ]

  private static let slot: RegisterMeaning.Layout = { $0.number("slot", UInt8.self) }

  private static let state: RegisterMeaning.Layout = { reader in
    slot(&reader)
    reader.bytes("state")
  }

  private static let definition: RegisterMeaning.Layout = { reader in
    reader.signal("of")
    if let byte = reader.rest.first {
      let slice = Slice(byte)
      reader.add("bytes", .integer(Int64(slice.length)))
      reader.add("from byte", .integer(Int64(slice.offset)))
      reader.skip(1)
    }
    operation(&reader)
  }

  /// The name is certain; what the configuration says depends on firmware that a packet alone does not name.
  private static let operation: RegisterMeaning.Layout = { reader in
    guard let code = reader.rest.first else { return reader.number("type", UInt8.self) }
    let known = ProcessorOperations.decode(code, Array(reader.rest.dropFirst()), on: .latest)
    reader.add("type", .string(known?.name ?? "type \([code].hex)"))
    reader.skip(1)
    reader.bytes("configuration")
  }
}

extension ProcessorDialect {
  /// What current boards speak.
  static let latest = ProcessorDialect(revision: 3, firmware: FirmwareVersion(1, 7, 3))
}
