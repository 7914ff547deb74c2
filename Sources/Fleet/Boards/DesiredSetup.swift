import FleetModel

/// What is wanted of a board in all: its profile and what verbs changed (MQTT contract 1.5). Pure, and worked out once
/// for each change, because supervisors go by it whenever they wake up.
struct DesiredSetup: Sendable {
  let program: ProgramDeclarations
  let settings: SettingsDeclaration
  /// Names of the chains that the board shall have, and of the timers whose ticks are streams.
  let chains: Set<String>
  /// Streams before verbs changed them: the chains' own, configured by the profile where it says how.
  let baseStreams: [String: StreamRequest]
  /// Streams in all. What is wanted of a chain ends with the chain.
  let streams: [String: StreamRequest]
  /// What is logged before verbs changed it.
  let baseLogs: [String: StreamRequest]
  /// What is logged in all.
  let logs: [String: StreamRequest]
  /// Whether the link is held.
  let keepsConnection: Bool
  /// When the streams are read that are, by their names.
  let reads: [String: ScheduleRule]

  /// `logsNothing`: the board has to show first that it is like new.
  init(_ profile: Profile, _ overlay: SetupOverlay = SetupOverlay(), logsNothing: Bool = false) {
    let declared = overlay.program.declarations(over: profile.program)
    let chains = declared.yieldingStreams
    func exists(_ name: String) -> Bool { chains.contains(name) || StreamCatalogue.find(name) != nil }
    (program, self.chains) = (declared, chains)
    settings = overlay.settings.settings(over: profile.settings)
    baseStreams = declared.program.streams.merging(profile.streams) { _, profile in profile }
    baseLogs = declared.program.logs.merging(profile.logs) { _, profile in profile }
    streams = overlay.streams.streams(over: baseStreams).filter { exists($0.key) }
    logs = logsNothing ? [:] : overlay.logs.logs(over: baseLogs).filter { exists($0.key) }
    keepsConnection = ConnectionModeRule.holds(profile, streams: self.streams, logs: self.logs)
    reads = self.streams.compactMapValues(\.readRule)
  }
}
