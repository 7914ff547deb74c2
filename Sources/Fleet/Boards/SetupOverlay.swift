import FleetModel

/// What verbs changed about a board's setup, laid over its profile; survives links and restarts (MQTT contract 1.5).
///
/// By section, because entries end in different ways: those of streams by their time, settings at the board's next
/// reset, logs all together, and all of them by the opposite verb.
struct SetupOverlay: Hashable, Sendable {
  var streams = StreamOverlay()
  var logs = LogOverlay()
  var program = ProgramOverlay()
  var settings = SettingsOverlay()
  var pins = PinOverlay()

  /// What differs from the profile because of a verb. `logs` are those that the profile wants.
  func keys(overLogs logs: [String: StreamRequest]) -> [SetupKey] {
    streams.names.map { SetupKey(.stream, $0) } + self.logs.names(over: logs).map { SetupKey(.log, $0) }
      + program.keys.map { SetupKey($0) } + settings.keys.map { SetupKey(.settings, $0) }
  }

  /// Takes note of a command that was done, over what was wanted before. Returns what of the setup the session has to
  /// be ordered of: what else follows from it than the command itself.
  mutating func note(
    _ intent: LinkIntent, over profile: Profile, _ desiredSetup: DesiredSetup, at now: Timestamp
  ) -> Set<SetupPart> {
    switch intent {
    case .streamStart(let request, _, let duration):
      streams.start(request, until: duration.map { now + $0 }, profile: desiredSetup.baseStreams)
    case .streamStop(let name): _ = streams.stop(name, profile: desiredSetup.baseStreams)
    case .log(let command):
      logs.note(command, profile: desiredSetup.baseLogs)
      return [.logs]
    case .device(.settings(let command)): settings.note(command, profile: profile.settings)
    case .device(.pin(let command)): pins.note(command)
    case .device(.program(let command)):
      let before = program.declarations(over: profile.program).yieldingStreams
      program.note(command, profile: profile.program)
      for name in before.subtracting(program.declarations(over: profile.program).yieldingStreams) {
        streams.forget(name)
        logs.forget(name)
      }
      return [.streams, .logs]
    case .device, .disconnect: break
    }
    return []
  }

  /// A profile was chosen: what verbs changed of the last one is over. Pins are no part of profiles.
  mutating func profileChosen() {
    let pins = pins
    self = SetupOverlay()
    self.pins = pins
  }

  /// The board was made like new, the opposite of all that verbs made on it.
  mutating func factoryReset() {
    let streams = streams
    self = SetupOverlay()
    self.streams = streams
  }
}
