import BoardKit
import FleetModel

/// Registers of timers, events and macros (protocol reference, sections 15, 17 and 19).
enum ProgramMeanings {
  private static let slot: RegisterMeaning.Layout = { $0.number("slot", UInt8.self) }
  private static let slotSwitch: RegisterMeaning.Layout = { reader in
    slot(&reader)
    reader.flag("on")
  }

  static let timer: [RegisterMeaning] = [
    .setting(0x01, "timers") { $0.flag("on") },
    RegisterMeaning(
      number: 0x02, name: "timer", write: timing, question: slot,
      answer: { reader in
        if reader.rest.isEmpty { reader.note("the slot is empty") } else { timing(&reader) }
      }, notification: slot),
    .action(0x03, "start a timer", slot), .action(0x04, "stop a timer", slot),
    .action(0x05, "remove a timer", slot),
    RegisterMeaning(number: 0x06, name: "tick", notification: slot),
    .action(0x07, "tell a timer's ticks", slotSwitch),
  ]

  private static let timing: RegisterMeaning.Layout = { reader in
    reader.number("period", UInt32.self, "ms")
    if reader.rest.starts(with: [0xFF, 0xFF]) {
      reader.skip(2)
      reader.add("repetitions", "for ever")
    } else {
      reader.number("repetitions", UInt16.self)
    }
    reader.flag("at once")
  }

  static let event: [RegisterMeaning] = [
    .setting(0x01, "events") { $0.flag("on") },
    RegisterMeaning(
      number: 0x02, name: "event", write: entry, question: slot,
      answer: { reader in
        if reader.rest.isEmpty { reader.note("the slot is empty") } else { entry(&reader) }
      }, notification: slot),
    RegisterMeaning(
      number: 0x03, name: "parameters of an event", write: { $0.bytes("parameters") }, question: slot,
      answer: { $0.bytes("parameters") }),
    .action(0x04, "remove an event", slot), .action(0x05, "remove all events"),
  ]

  private static let entry: RegisterMeaning.Layout = { reader in
    reader.signal("when")
    guard reader.rest.count >= 3 else { return reader.bytes("command", 3) }
    let header = reader.rest
    let name = Module(rawValue: header[0])?.name ?? "module \([header[0]].hex)"
    reader.add("command", .string("\(name), register \([header[1]].hex)"))
    reader.skip(2)
    reader.number("parameters", UInt8.self, "bytes")
    guard !reader.rest.isEmpty else { return }
    let bytes = reader.rest
    guard bytes.count >= 2, let token = DataToken(bytes[0], bytes[1]) else { return reader.bytes("token", 2) }
    reader.add("bytes copied", .integer(Int64(token.length)))
    reader.add("from byte", .integer(Int64(token.offset)))
    reader.add("to parameter", .integer(Int64(token.destination)))
    reader.skip(2)
  }

  static let macro: [RegisterMeaning] = [
    .setting(0x01, "macros") { $0.flag("on") },
    RegisterMeaning(
      number: 0x02, name: "macro", write: { $0.flag("run at start") }, question: slot,
      answer: { reader in
        slot(&reader)
        if reader.rest.isEmpty { return reader.note("the slot is empty") }
        reader.flag("run at start")
        reader.number("length", UInt8.self)
      }, notification: slot),
    RegisterMeaning(
      number: 0x03, name: "command of a macro", write: { $0.bytes("command") },
      question: { reader in
        slot(&reader)
        reader.number("place", UInt8.self)
      }, answer: { $0.bytes("command") }),
    .action(0x04, "end of a macro"), .action(0x05, "run a macro", slot),
    .action(0x06, "tell when a macro has finished", slotSwitch),
    RegisterMeaning(number: 0x07, name: "macro finished", notification: slot),
    .action(0x08, "erase all macros, once the link is gone"),
    .action(0x09, "beginning of a long command") { $0.bytes("command", 2) },
  ]
}
