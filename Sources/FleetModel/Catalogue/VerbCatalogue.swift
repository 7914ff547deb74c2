/// Every verb there is (MQTT contract 3 and 4).
public enum VerbCatalogue {
  /// All verbs, in the order people see them.
  public static let all: [VerbDefinition] = [
    LEDVerbs.led, LEDVerbs.identify, HapticVerb.haptic, ReadVerb.read, StreamVerbs.start, StreamVerbs.stop,
    ProfileVerb.profile, SensorVerb.sensor,
    PinVerb.gpio, BusVerbs.readI2C, BusVerbs.writeI2C, BusVerbs.readSPI, BusVerbs.writeSPI, BeaconVerb.beacon,
    SettingsVerb.settings, TimerVerbs.create, TimerVerbs.start, TimerVerbs.stop, TimerVerbs.remove,
    TimerVerbs.bind, TimerVerbs.unbind, MacroVerbs.record, MacroVerbs.run, MacroVerbs.erase, MacroVerbs.list,
    LogVerbs.start, LogVerbs.stop, LogVerbs.download, LogVerbs.status, LogVerbs.clear,
    ProcessorVerbs.create, ProcessorVerbs.set, ProcessorVerbs.remove, ProcessorVerbs.list,
    LifecycleVerbs.reset,
    LifecycleVerbs.factoryReset, LifecycleVerbs.sleep, LifecycleVerbs.disconnect, FirmwareVerbs.bootloader,
    FirmwareVerbs.check, FirmwareVerbs.update, FirmwareVerbs.abort, RolloutVerbs.rollout, ExplainVerb.explain,
    MaintenanceVerbs.maintenance, RawVerb.raw, BatchVerb.batch,
    GatewayVerbs.admit, GatewayVerbs.forget, AdmissionVerb.admission, GatewayVerbs.scan, GatewayVerbs.reload,
    MaintenanceVerbs.drain, MaintenanceVerbs.resetAdapter, MaintenanceVerbs.diagnostics, ReplayVerb.replay,
    ArchiveVerbs.deleteSessions, AlarmVerb.acknowledge, RolloutVerbs.pause, RolloutVerbs.resume,
    RolloutVerbs.abort, RolloutVerbs.list, CancelVerb.cancel,
  ]

  /// The verb of that name that boards, groups or gateways take.
  public static func find(_ name: String, for addressee: VerbDefinition.Addressee) -> VerbDefinition? {
    all.first { $0.name == name && $0.isTaken(by: addressee) }
  }

  /// Names of the verbs that boards, groups or gateways take, sorted.
  public static func names(for addressee: VerbDefinition.Addressee) -> [String] {
    all.filter { $0.isTaken(by: addressee) }.map(\.name).sorted()
  }
}
