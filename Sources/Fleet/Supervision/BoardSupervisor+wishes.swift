import FleetModel

/// What is wanted of the board in all, as it is by now.
extension BoardSupervisor {
  var wishes: BoardWishes {
    if let knownWishes { return knownWishes }
    let wishes = BoardWishes(
      desired.profile, streams: overlay, program: programOverlay, settings: settingsOverlay,
      logs: logMemory.overlay, logsNothing: isProvingFactoryReset)
    knownWishes = wishes
    return wishes
  }

  var wantedProgram: ProgramDeclarations { wishes.program }
  var wantedSettings: SettingsDeclaration { wishes.settings }
  var wantedChains: Set<String> { wishes.chains }
  var standingStreams: [String: StreamRequest] { wishes.standingStreams }
  var wantedStreams: [String: StreamRequest] { wishes.streams }
  var standingLogs: [String: StreamRequest] { wishes.standingLogs }
  var wantedLogs: [String: StreamRequest] { wishes.logs }
  var isHeld: Bool { wishes.isHeld }
}
