import BoardKit
import FleetModel

/// Registers of the log (protocol reference, section 16).
enum LoggingMeanings {
  static let registers: [RegisterMeaning] = [
    .setting(0x01, "logging") { $0.flag("on") },
    RegisterMeaning(
      number: 0x02, name: "logger", write: source, question: logger,
      answer: { reader in
        if reader.rest.isEmpty { reader.note("the slot is empty") } else { source(&reader) }
      }, notification: logger),
    .action(0x03, "remove a logger", logger),
    .value(0x04, "clock") { reader in
      let clock = LogClock(reader.packet)
      guard reader.passed(5, if: clock != nil), let clock else { return }
      reader.add("tick", .integer(Int64(clock.tick)), "× 48/32768 s")
      reader.add("reset", .integer(Int64(clock.resetID)))
    },
    .value(0x05, "length") { reader in
      let width = reader.rest.count == 2 ? 2 : 4
      let length = LogClock.length(reader.packet)
      if reader.passed(width, if: length != nil), let length {
        reader.add("entries", .integer(Int64(length)))
      }
    },
    .setting(0x06, "read out") { reader in
      reader.number("entries", UInt32.self)
      reader.number("tell progress every", UInt32.self, "entries")
    },
    RegisterMeaning(
      number: 0x07, name: "entries", write: RegisterMeaning.subscription,
      notification: { reader in
        repeat { entry(&reader) } while reader.rest.count >= 9
      }),
    RegisterMeaning(
      number: 0x08, name: "progress of the read-out", write: RegisterMeaning.subscription,
      notification: { $0.number("entries left", UInt32.self) }),
    .action(0x09, "drop entries") { $0.number("entries", UInt32.self) },
    .action(0x0A, "remove all loggers"),
    .setting(0x0B, "when full") { $0.choice("then", ["stop", "overwrite the oldest"]) },
    .value(0x0C, "pages tidied up") { $0.number("pages", UInt16.self) },
    RegisterMeaning(
      number: 0x0D, name: "page completed", write: RegisterMeaning.subscription,
      notification: RegisterMeaning.nothing),
    .action(0x0E, "page confirmed: its entries are erased"),
    .setting(0x0F, "tidying up") { $0.choice("is", ["on", "off"]) },
    .action(0x10, "write pending entries to flash") { $0.flag("now") },
  ]

  private static let logger: RegisterMeaning.Layout = { $0.number("logger", UInt8.self) }

  private static let source: RegisterMeaning.Layout = { reader in
    guard reader.rest.count >= 4 else { return reader.bytes("source", 4) }
    let slice = reader.rest[3]
    reader.signal("of")
    reader.add("bytes", .integer(Int64(slice >> 5 & 3) + 1))
    reader.add("from byte", .integer(Int64(slice & 0x1F)))
    reader.skip(1)
  }

  private static func entry(_ reader: inout PayloadReader) {
    guard let first = reader.rest.first, reader.rest.count >= 9 else { return reader.bytes("entry", 9) }
    reader.add("reset", .integer(Int64(first >> 5)))
    reader.add("logger", .integer(Int64(first & 0x1F)))
    reader.skip(1)
    reader.number("tick", UInt32.self, "× 48/32768 s")
    reader.bytes("data", 4)
  }
}
