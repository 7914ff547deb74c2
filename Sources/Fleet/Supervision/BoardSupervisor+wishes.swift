import FleetModel

/// What is wanted of a board in all: its profile and what verbs changed (MQTT contract 1.5).
extension BoardSupervisor {
  var wantedProgram: ProgramDeclarations { programOverlay.declarations(over: desired.profile.program) }

  var wantedSettings: SettingsDeclaration { settingsOverlay.settings(over: desired.profile.settings) }

  /// Names of the chains that the board shall have.
  var wantedChains: Set<String> { Set(wantedProgram[.chain].entries.keys.map(\.name)) }

  /// Streams before verbs changed them: the chains' own, configured by the profile where it says how.
  var standingStreams: [String: StreamRequest] {
    wantedProgram.program.streams.merging(desired.profile.streams) { _, profile in profile }
  }

  /// Streams in all. What is wanted of a chain ends with the chain.
  var wantedStreams: [String: StreamRequest] {
    let chains = wantedChains
    return overlay.streams(over: standingStreams).filter { name, _ in
      chains.contains(name) || StreamCatalogue.find(name) != nil
    }
  }
}
