/// Answers to what no source says about the firmware. A host must work with every answer, so each is a
/// switch (protocol reference 41).
package struct FirmwareAssumptions: Sendable, Equatable {
  /// What a read of an empty slot gets.
  package enum EmptySlotReply: Sendable, CaseIterable {
    /// The two header bytes.
    case header
    case silence
    /// The header and FF.
    case filler

    /// What follows the header; nil for no answer.
    var payload: [UInt8]? {
      switch self {
      case .header: []
      case .silence: nil
      case .filler: [0xFF]
      }
    }
  }

  /// Who on the board gets the value of a read (protocol reference 2.2).
  package enum ReadRouting: Sendable, CaseIterable {
    /// Processors that of a loud read, loggers that of a silent one, from firmware 1.7 on; before, as `lenient`.
    case byFirmware
    case strict
    /// Either form reaches either consumer.
    case lenient
  }

  /// Name, advertising, transmit power, scan response and connection parameters live through a reset.
  package var settingsSurviveReset = false
  /// `FE 05` resets at once, as old firmware may, instead of after the link is gone.
  package var delayedResetActsAtOnce = false
  package var emptySlotReply = EmptySlotReply.header
  package var readRouting = ReadRouting.byFirmware
  /// Three offset bytes of the BMI270's gyroscope switch its compensation on.
  package var shortGyroscopeOffsetsCompensate = true
  /// A fuser waits until all its inputs have something new, instead of repeating what the slower ones had.
  package var fuserWaitsForAll = false
  /// Timers, events, processors, macros and LED patterns cannot be read back, as in firmware before that existed.
  package var programsReadBack = true

  /// The id of an event entry is told after the entry's parameters, as the vendor's tests have it (protocol reference
  /// 15.1).
  package var eventIDFollowsParameters = false
  /// A processor read back has zeros behind its configuration, up to a full packet (protocol reference 14.1).
  package var processorReadBackIsPadded = false
  /// The log clock runs on through a reset that waited for the link to go, as some boards were seen to do.
  package var clockSurvivesDelayedReset = false
  /// The reset count stays as it is, as some boards were seen to do.
  package var resetCountStays = false
  /// Loggers, not only their entries, live through a reset.
  package var loggersSurviveReset = true
  /// A magnetometer that has not been told to sleep before it is configured streams zeros.
  package var magnetometerStartsCold = false

  /// What the log does.
  package var log = LogAssumptions()

  package init() {}
}
