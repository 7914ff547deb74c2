/// Answers to what no source says about the firmware. A host must work with every answer, so each is a
/// switch (protocol reference 41).
package struct FirmwareAssumptions: Sendable, Equatable {
  /// Name, advertising, transmit power, scan response and connection parameters live through a reset.
  package var settingsSurviveReset = false
  /// `FE 05` resets at once, as old firmware may, instead of after the link is gone.
  package var delayedResetActsAtOnce = false
  /// A read of an empty slot is answered by its two header bytes instead of silence.
  package var emptySlotAnswers = true

  package init() {}
}
