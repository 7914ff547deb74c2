/// Everything that can happen and is worth telling: the one enum between the fleet and its uplinks.
public enum FleetEvent: Sendable {
  // Telemetry.
  case live(LiveSample)
  case batch(SampleBatch)
  // Retained documents of boards.
  case info(BoardInfo)
  case availability(BoardID, Availability)
  case state(BoardState)
  case led(BoardID, LEDState)
  case configuration(ConfigurationReport)
  case firmware(FirmwareReport)
  /// The board is no longer ours: nothing of it stays.
  case forgotten(BoardID)
  // Retained documents of the gateway.
  case gatewayInfo(GatewayInfo)
  case health(Timestamp, [Metric: Double], StorageCondition = .fine)
  case adapter(Timestamp, AdapterReport)
  case alarms(AlarmReport)
  case rollout(RolloutReport)
  /// The rollout of that id is forgotten: nothing of it stays.
  case rolloutForgotten(String)
  /// The adapter is gone for good: nothing of it stays.
  case adapterForgotten(AdapterID)
  // Passing.
  case happened(EventMessage)
  case reply(CommandReply)
  // Kept, and published nowhere.
  case stream(StreamCheckpoint)

  /// The session of a stream that is over by this; nil where none is.
  public var endedSession: ULID? { if case .stream(.ended(let session)) = self { session } else { nil } }
}
