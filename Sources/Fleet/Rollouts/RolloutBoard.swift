import BoardKit
import FleetModel

/// How a board is, as far as rollouts go by it.
struct RolloutBoard: Hashable, Sendable {
  var groups: [String] = []
  /// Which builds it takes; nil where it never answered.
  var recipient: FirmwareRecipient?
  /// Firmware that its application has, as it said last.
  var installed: String?
  /// Version of its bootloader, where that was seen.
  var bootloader: String?
  /// Percent, and dBm; nil where nobody knows.
  var battery, signal: Int?
  /// The adapter that holds or last held it.
  var adapter: AdapterID?
  /// Whether its update could begin now.
  var isAvailable = false
  /// Whether its application answers.
  var isAnswering = false
  /// Whether it is being given firmware, by whomever.
  var update: Update?
  /// What is counted is counted since the gateway began.
  var health = BoardHealth()
  /// Connections that were lost or failed in the last 24 hours.
  var linkFailuresPerDay = 0

  /// How far that is.
  enum Update: Hashable, Sendable {
    /// A link over its adapter, or the wait for one, is for that.
    case underWay
    /// It waits in its bootloader, and the gateway tries again later.
    case stranded(String)
  }

  /// Hardware revision and model: firmware that is good for one kind says nothing of another.
  var kind: String { recipient.map { "\($0.hardwareRevision) \($0.modelNumber)" } ?? "" }
}

extension RolloutBoard {
  /// A board that was received so recently is there.
  private static let absence = Duration.seconds(60)

  /// As its supervisor knows it.
  static func look(at supervisor: isolated BoardSupervisor) -> RolloutBoard {
    var board = RolloutBoard()
    let (status, link) = (supervisor.status, supervisor.link)
    board.groups = supervisor.setup.desired.groups
    board.recipient = FirmwareCommand.recipient(of: supervisor)
    board.installed = status.identity.description?.firmwareRevision
    board.bootloader = status.firmware.bootloader?.version
    board.battery = status.state.battery.percent
    board.signal = link.signal(at: supervisor.uptime)?.strength
    board.isAnswering = link.isReady && status.facts.isAnswering
    board.update = supervisor.update.map { update(of: $0, at: supervisor.uptime) }
    let isHeard = status.facts.lastSeen.map { supervisor.uptime - $0 < absence } ?? false
    let isSuspended = if case .suspended = link.machine.state { true } else { false }
    let isThere = board.isAnswering || isHeard && !status.facts.isBootloader && !isSuspended
    board.adapter = status.state.adapter ?? supervisor.setup.desired.adapter
    board.isAvailable = supervisor.isWanted && isThere && board.update == nil
    board.health = health(of: supervisor)
    board.linkFailuresPerDay = status.linkFailures(at: supervisor.uptime)
    return board
  }

  /// Where nothing of it will happen by itself for now, it is over for a rollout.
  static func update(of update: BoardUpdate, at uptime: Duration) -> Update {
    guard update.phase == .rescuing, update.counts.rows > 0 || update.due(after: uptime) == nil else {
      return .underWay
    }
    return .stranded(update.trouble ?? "it was not heard again")
  }

  private static func health(of supervisor: isolated BoardSupervisor) -> BoardHealth {
    let setup = supervisor.setup.reportedSetup
    var health = BoardHealth()
    func names(_ section: SetupKey.Section) -> Set<String> {
      Set(setup.reported.keys.filter { $0.section == section && setup.silent[$0] == nil }.map(\.name))
    }
    health.streams = names(.stream)
    health.logged = setup.logFailure == nil ? names(.log) : []
    health.unexpectedResets = supervisor.status.incidents.unexpectedResets
    health.linkFailures = supervisor.status.incidents.linkFailures
    health.trouble = setup.error?.sentence
    return health
  }
}
