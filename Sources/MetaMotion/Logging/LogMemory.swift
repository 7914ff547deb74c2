import BoardKit

/// The log as a whole: on and off, full, emptied, read out (protocol reference, section 16).
enum LogMemory {
  static let logging = Register(.logging, 0x01)
  static let readOut = Register(.logging, 0x06)
  static let entries = Register(.logging, 0x07)
  static let progress = Register(.logging, 0x08)
  private static let dropping = Register(.logging, 0x09)
  static let overwriting = Register(.logging, 0x0B)
  /// Pages that were freed for new entries so far (section 16.9).
  static let recycledPages = Register(.logging, 0x0C)
  static let pageCompleted = Register(.logging, 0x0D)

  /// What the board tells while it is read out; switched on before and off behind it (section 16.5).
  static let enabledDuringReadOut = [entries, pageCompleted, progress]

  /// Erases the entries of the page that was completed, for good.
  static let confirmPage = Register(.logging, 0x0E).write()
  /// Writes what is still in memory to flash (MetaMotion S); before that it does not count, and is not told (protocol
  /// reference, section 16.5).
  static let flush = Register(.logging, 0x10).write(1)
  static let firstRevisionWithFlush: UInt8 = 3
  /// Ignored while logging (trap T38).
  static let clear = dropping.write(0xFF, 0xFF, 0xFF, 0xFF)
  static let stop = logging.write(0)

  static func start(overwriting isCircular: Bool) -> [[UInt8]] {
    [overwriting.write(isCircular ? 1 : 0), logging.write(1)]
  }

  /// Reads out `count` entries; progress is notified every `every`, or once per page at 0.
  static func read(_ count: UInt32, progressEvery every: UInt32) -> [UInt8] {
    var payload: [UInt8] = []
    payload.append(number: count)
    payload.append(number: every)
    return readOut.write(payload)
  }

  /// Whether the board logs, from the answer to a read of `logging`; nil when it is none.
  static func isLogging(_ reply: [UInt8]) -> Bool? { reply.number(at: 2, as: UInt8.self).map { $0 != 0 } }
  /// How many entries are left to be read out, from a notification of `progress`; nil when it is none.
  static func entriesLeft(_ packet: [UInt8]) -> UInt32? { packet.number(at: 2, as: UInt32.self) }
}
