/// Whose events are of which kind (MQTT contract 5).
extension EventKind {
  /// Kinds that boards have, in the order of their declaration.
  public static let ofBoards = allCases.filter { $0.subjects != .gateways }
  /// Kinds that gateways have, likewise.
  public static let ofGateways = allCases.filter { $0.subjects != .boards }

  private enum Subjects { case boards, gateways, both }

  private var subjects: Subjects {
    switch self {
    case .button, .motion, .tap, .orientation, .flat, .step, .activity, .wrist, .magnetic, .gpio, .power,
      .charge, .reset, .dataGap, .linkLost, .linkUp, .lowBattery, .streamSilent, .streamRate, .dataQuality,
      .logDownloaded, .logLevel, .unknownLogger, .foreignChange, .contactMissed, .identity, .maintenance:
      .boards
    case .retainedCommand, .deniedCommand, .config, .clock, .firmware: .both
    case .boardDiscovered, .boardAdmitted, .boardForgotten, .keptStreams, .adapterReset, .adapter, .bluetooth,
      .brokerLost,
      .brokerRestored, .storage, .storageFull, .publishRefused, .retainedChanged, .certificate, .replay,
      .process, .rollout:
      .gateways
    }
  }
}
