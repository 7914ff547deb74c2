import FleetModel

/// Which chains and loggers of a board get their sensors. A chain needs its sensors to run as configured, and so does
/// what is logged; where they cannot, the board does not get it (MQTT contract 2.2, 3.8).
struct ChainSources: Sendable {
  /// Chains whose sensors cannot be had, and why, as the streams were last applied.
  private(set) var withoutSources: [String: CommandFailure] = [:]
  /// The same for streams that cannot be logged.
  private(set) var unlogged: [String: CommandFailure] = [:]
  /// What the board did not take of its program, and why. It stays so until another program is ordered: a chain that is
  /// tried again and again would take its sensor from others each time.
  var refused: [ProgramKey: CommandFailure] = [:]
  /// Why the board did not take streams to be logged; like `refused`.
  var refusedLogs: [String: CommandFailure] = [:]
  /// Chains and logged streams without sensors when the program was last applied.
  private var judged: Set<String> = []
  private var judgedLogs: Set<String> = []

  /// The sensors to run, by names that no stream has. What the board does not take needs none.
  func sensors(of program: BoardProgram) -> [String: StreamRequest] {
    program.sensors.reduce(into: [:]) { sensors, sensor in
      switch sensor.consumer {
      case .chain(let chain) where refused[ProgramKey(.chain, chain)] == nil:
        sensors["process/\(chain)/\(sensor.name)"] = sensor
      case .log where refusedLogs[sensor.name] == nil: sensors["log/\(sensor.name)"] = sensor
      case .chain, .log, nil: return
      }
    }
  }

  /// Takes note of what could not be had of `requests`: sensors of chains and logs. Returns the rest, streams by name.
  mutating func note(
    _ refused: [StreamKey: CommandFailure], of requests: [StreamKey: StreamRequest]
  ) -> [String: CommandFailure] {
    var streams: [String: CommandFailure] = [:]
    var sensors: [(sensor: StreamRequest, failure: CommandFailure)] = []
    for (key, failure) in refused.sorted(by: { $0.key < $1.key }) {
      guard let request = requests[key] else { continue }
      if request.consumer == nil {
        streams[request.name] = failure
      } else {
        sensors.append((request, failure))
      }
    }
    note(sensors)
    return streams
  }

  /// Takes note of sensors that could not be had.
  mutating func note(_ refusals: [(sensor: StreamRequest, failure: CommandFailure)]) {
    (withoutSources, unlogged) = ([:], [:])
    for (sensor, failure) in refusals {
      switch sensor.consumer {
      case .chain(let chain):
        withoutSources[chain] = CommandFailure(
          failure.code, "\(chain) cannot compute: \(failure.message)", data: failure.data)
      case .log: unlogged[sensor.name] = failure
      case nil: continue
      }
    }
  }

  /// What of a program can be asked of the board.
  mutating func withSources(_ program: BoardProgram) -> BoardProgram {
    (judged, judgedLogs) = (Set(withoutSources.keys), Set(unlogged.keys))
    var rest = program
    for chain in withoutSources.keys { (rest.chains[chain], rest.logs[chain]) = (nil, nil) }
    for stream in unlogged.keys { rest.logs[stream] = nil }
    return rest
  }

  /// Whether the program has to be judged again, because others lack their sensors by now.
  var isStale: Bool { judged != Set(withoutSources.keys) || judgedLogs != Set(unlogged.keys) }

  /// Why one of these streams cannot be logged; nil where all can, as far as that is known.
  func refuses(_ names: [String]) -> CommandFailure? { names.lazy.compactMap { logRefusals[$0] }.first }

  /// All that is not logged although it is wanted, and why.
  var logRefusals: [String: CommandFailure] { refusedLogs.merging(unlogged) { _, unlogged in unlogged } }

  /// All that the board does not do of its program, and why.
  var refusals: [ProgramKey: CommandFailure] {
    refused.merging(withoutSources.map { (ProgramKey(.chain, $0.key), $0.value) }) { _, withoutSources in
      withoutSources
    }
  }
}
