import BoardKit
import FleetModel

/// The streams that were configured on this link, and what starts and stops their sensors: what actions of the board
/// may name (MQTT contract 3.6). A stream that ended counts on, since the chip keeps its registers.
struct ConfiguredStreams: Hashable, Sendable {
  /// By name in the catalogue, components by their whole: what runs for it, what it rests on first. Empty for what the
  /// gateway polls.
  private var runs: [String: [SensorRun]] = [:]
  /// What runs to be logged now, by name: with the values the board uses.
  private(set) var logged: [String: Logged] = [:]

  /// How a stream runs that is logged.
  struct Logged: Hashable, Sendable {
    var configuration: JSONObject
    var period: Duration?
  }

  init() {}

  /// Takes note of what runs now.
  mutating func take(_ selection: StreamSelection) {
    logged = selection.logged
    for stream in selection.active {
      guard let name = StreamCatalogue.find(stream.request.name)?.stream.name else { continue }
      runs[name] = stream.isPolled ? [] : Self.runs(for: stream.key, in: selection)
    }
  }

  private static func runs(for stream: StreamKey, in selection: StreamSelection) -> [SensorRun] {
    guard let unit = selection.dependants.first(where: { $0.value.contains(stream) })?.key,
      let run = selection.setup.runs[unit]
    else { return [] }
    return [run.base.flatMap { selection.setup.runs[$0] }, run].compactMap(\.self)
  }

  /// The packets that start a stream's sensor, or stop it; what a detector rests on is started with it, and left
  /// running. Throws `invalid` for what is not configured, or runs without being started.
  func packets(_ stream: String, isOn: Bool) throws(CommandFailure) -> [[UInt8]] {
    let name = StreamCatalogue.find(stream)?.stream.name ?? stream
    guard let runs = runs[name] else {
      throw .invalid(
        "\(stream) is not configured on this board; start it by stream-start, or name it in the profile, and an action "
          + "can stop and start it")
    }
    guard let own = runs.last else {
      throw .invalid(
        "\(stream) is read by the gateway, which no action can begin; let a timer do the action read instead")
    }
    let packets = isOn ? runs.flatMap(\.start) : own.stop
    guard !own.start.isEmpty, !packets.isEmpty else {
      throw .invalid(
        "\(stream) has no sensor to start or stop: the board notifies every change")
    }
    return packets
  }

  /// The streams whose sensor one of `packets` stops.
  func stopped(by packets: Set<[UInt8]>) -> Set<String> {
    Set(
      runs.filter { $0.value.contains { !$0.start.isEmpty && !packets.isDisjoint(with: $0.stop) } }.map(\.key)
    )
  }
}
