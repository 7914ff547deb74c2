/// What a board's processors understand: it changed with the module's revision and with the firmware (protocol
/// reference, section 3.4).
struct ProcessorDialect: Hashable, Sendable {
  /// Of the processor module.
  let revision: UInt8
  let firmware: FirmwareVersion

  /// Averages carry their channels, take long sources, and can be high-pass filters.
  var hasLongAverages: Bool { revision >= 2 }
  /// High-pass filters exist.
  var hasHighPass: Bool { revision >= 2 && firmware >= FirmwareVersion(1, 2, 2) }
  /// Sample delays hold up to 16 bytes instead of 4.
  var hasLongDelays: Bool { revision >= 2 }
  /// Time limiters pass values of any length; before, mode 0 did for short ones.
  var hasLongTimeLimiters: Bool { revision >= 1 }
  var hasFuser: Bool { revision >= 1 }
  /// Math carries its channels and knows the constant; buffers exist.
  var hasChannelMath: Bool { firmware >= FirmwareVersion(1, 1, 0) }
  var hasBuffer: Bool { firmware >= FirmwareVersion(1, 1, 0) }
  /// Comparators take several references in a packed form.
  var hasPackedComparators: Bool { firmware >= FirmwareVersion(1, 2, 3) }
  /// Processors hear loud reads alone (trap T51).
  var processorsHearLoudReads: Bool { firmware >= FirmwareVersion(1, 7, 0) }
  /// Of a pulse's outputs only the detection was seen to work (trap T36).
  var hasOnlyPulseDetection: Bool { firmware >= FirmwareVersion(1, 7, 0) }
}
