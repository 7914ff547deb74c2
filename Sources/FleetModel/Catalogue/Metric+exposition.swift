/// How the numbers of health are called on `/metrics` (MQTT contract 1.6): derived from their declaration, so that a
/// number that is declared is there.
extension Metric {
  /// Whether it only grows while the process lives.
  public var isCounter: Bool { counter != nil || self == .processorTime }

  /// Its name behind `metafleet_`: base units in full, `_total` where it only grows, and only there.
  public var exposedName: String {
    let name = ExposedUnit.name(of: rawValue)
    if isCounter { return name + "_total" }
    return name.hasSuffix("_total") ? String(name.dropLast("_total".count)) : name
  }

  /// What it is on `/metrics` where health says `value`.
  public func exposed(_ value: Double) -> Double { value * ExposedUnit.scale(of: rawValue) }

  /// What it counts or measures, in a sentence without its full stop.
  public var summary: String { Self.summaries[self] ?? "The field \(rawValue) of the gateway's health" }

  private static let summaries: [Metric: String] = [
    .uptime: "Time since the gateway started",
    .boardsAdmitted: "Boards that the gateway looks after",
    .boardsConnected: "Boards with a connection",
    .boardsTroubled: "Boards that are not where they should be, without those in maintenance",
    .boardsInMaintenance: "Boards that somebody is working on",
    .slotsUsed: "Places for connections in use, over all adapters",
    .slotsTotal: "Places for connections, over all adapters that can be used",
    .sessionsOK: "Connections to boards that were answered",
    .sessionsFailed: "Connections to boards that failed",
    .samplesIn: "Samples received from boards",
    .samplesPublished: "Samples that the broker has acknowledged, each counted once",
    .samplesDropped: "Samples that were given up because there was no room for them",
    .samplesImpossible: "Samples left out because no sensor can measure what they say",
    .samplesLost: "Samples of streams that are known to be missing between boards and the gateway",
    .packetsDoubled: "Packets of streams that came twice and were kept once",
    .contactsMissed: "Contacts and battery polls that were due and did not come about",
    .outboxMessages: "Messages that wait for the broker",
    .outboxBytes: "Size of the messages that wait for the broker",
    .outboxOldest: "Age of the oldest message that waits for the broker, 0 where none does",
    .refusedMessages: "Messages that the broker has refused; they are kept and offered again",
    .refusedOldest: "Age of the oldest message that the broker has refused, 0 where there is none",
    .retainedRepaired:
      "Retained documents that were published again because somebody else had cleared or altered them",
    .liveDropped:
      "Messages on live lanes that were left out, because the line to the broker was too slow for them",
    .adapterResets: "Resets of Bluetooth adapters",
    .bluetoothdRestarts: "Restarts of bluetoothd by the recovery helper",
    .usbResets: "Resets of USB adapters by the recovery helper",
    .firmwareCheckOK: "Whether the last check for newer firmware brought an index that can be kept",
    .firmwareIndexAge: "Age of the index of firmware in use, 0 where there is none",
    .boardsOutdated: "Boards for which that index has a newer build",
    .boardsUpdating: "Boards that are being given other firmware right now",
    .boardsInBootloader: "Boards that wait in their bootloader for firmware",
    .rolloutsActive: "Rollouts of firmware that are not over, those that are paused included",
    .rolloutPending: "Boards that are still to get firmware by a rollout that is not over",
    .rolloutFailed:
      "Boards whose update failed in a rollout that is not over, those without firmware included",
    .updatesOK: "Updates of boards' firmware that ended with what was wanted",
    .updatesFailed: "Updates of boards' firmware that failed, or left the board in its bootloader",
    .discoveriesSuppressed: "Boards that were received and not reported, because there were too many",
    .commandsOK: "Commands that were done",
    .commandsFailed: "Commands that failed, or of which nobody knows whether they were done",
    .clockSynced: "Whether a time service keeps the computer's clock",
    .residentMemory: "Memory that the gateway uses",
    .processorTime: "Processor time that the gateway used",
    .storageFree: "Free space where the gateway stores",
    .bluetoothOK: "Whether boards can be connected over Bluetooth",
    .storageOK: "Whether the gateway's disk accepts all writes",
    .keptSamples: "Streamed samples that the gateway keeps for metafleet export (storage.streams)",
    .keptBytes: "Size of the streamed samples that the gateway keeps",
    .keptOldest: "Age of the oldest streamed sample that the gateway keeps, 0 where there is none",
    .keptDropped: "Streamed samples that were not kept, or not as long as storage.streams.keep says",
    .keptOK: "Whether streamed samples are kept as long as storage.streams.keep says",
    .alarmsCritical: "Alarms of the gravest kind: data are lost, or will be soon",
    .alarmsWarning: "Alarms that somebody should see to within days",
    .alarmsInfo: "Alarms that are good to know",
    .alarmsUnacknowledged: "Alarms that nobody has acknowledged",
  ]
}

/// Units at the end of names, as Prometheus wants them.
package enum ExposedUnit {
  private static let units: [(suffix: String, base: String, scale: Double)] = [
    ("_ms", "_seconds", 0.001), ("_s", "_seconds", 1), ("_pct", "_ratio", 0.01), ("_mv", "_volts", 0.001),
  ]

  /// The name with its unit in full.
  package static func name(of field: String) -> String {
    guard let unit = unit(of: field) else { return field }
    return field.dropLast(unit.suffix.count) + unit.base
  }

  /// What a value of the field is multiplied by to be in that unit.
  package static func scale(of field: String) -> Double { unit(of: field)?.scale ?? 1 }

  private static func unit(of field: String) -> (suffix: String, base: String, scale: Double)? {
    units.first { field.hasSuffix($0.suffix) }
  }
}
