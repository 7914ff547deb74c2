import DBus
import Fleet
import FleetModel
import Logging

/// The gateway of the demo, wired as in a building.
struct DemoGateway: Sendable {
  private let wiring: Wiring
  private let settings: UplinkConfiguration
  private let log: Logger
  private let json: Bool
  private let simulator: SimulatorConsole

  /// Reads the demo's file and makes everything; nothing is connected yet.
  init(
    file: ConfigurationFile, bus: DBusAddress, json: Bool, simulator: SimulatorConsole
  ) throws(CommandLineFailure) {
    let configuration = file.read().configuration
    var level = LogConfiguration()
    // The table is on the terminal; what goes wrong is worth a line all the same.
    level.level = .error
    if json { level.format = .json }
    let problems = RecentProblems()
    let settings = LogSettings(level)
    log = Logger(label: "metafleet") { _ in LineLog(settings, problems: problems) }
    self.json = json
    self.simulator = simulator
    self.settings = configuration.mqtt
    wiring = try Wiring(
      configuration, file: file.path, directory: configuration.storage.directory ?? "", bus: bus, log: log,
      problems: problems,
      reload: { () async throws(CommandFailure) in file.read().checked(file) },
      simulator: { await simulator.obey($0) })
  }

  /// Runs and shows the fleet until a request comes: what was seen of the boards, and what was counted when
  /// everything had left.
  func run(
    boards: Int, address: String, until requests: AsyncStream<Int32>
  ) async throws -> (seen: DemoBoard, tally: DemoBoard.Tally) {
    let display = DemoDisplay(address: address, settings: settings, boards: boards, json: json) { [wiring] in
      Self.tally(wiring.gateway.counters)
    }
    let seen = try await withThrowingTaskGroup(of: DemoBoard?.self) { group in
      group.addTask { try await display.run() }
      group.addTask {
        try await simulator.listen(to: settings)
        return nil
      }
      group.addTask {
        try await wiring.run(until: requests, log: log)
        return nil
      }
      var seen: DemoBoard?
      while let result = try await group.next() {
        seen = seen ?? result
        group.cancelAll()
      }
      return seen
    }
    return (seen ?? DemoBoard(expecting: boards), Self.tally(wiring.gateway.counters))
  }

  private static func tally(_ counters: Counters) -> DemoBoard.Tally {
    DemoBoard.Tally(
      received: counters.value(of: .samplesIn), published: counters.value(of: .samplesPublished),
      dropped: counters.value(of: .samplesDropped))
  }
}
