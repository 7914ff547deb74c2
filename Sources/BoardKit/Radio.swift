public import FleetModel

/// An adapter as its operating system sees it.
public struct AdapterStatus: Hashable, Sendable {
  /// Whether it can be used.
  public enum State: String, Sendable { case up, down, blocked, missing, failed }

  /// Which adapter.
  public var id: AdapterID
  /// The system's name for it (`hci0`); changes, never a key.
  public var name: String
  /// Whether it can be used.
  public var state: State
  /// Whether it looks for advertisements right now.
  public var isDiscovering: Bool

  /// Describes an adapter.
  public init(id: AdapterID, name: String, state: State, isDiscovering: Bool) {
    self.id = id
    self.name = name
    self.state = state
    self.isDiscovering = isDiscovering
  }
}

/// What a radio reports by itself.
public enum RadioEvent: Hashable, Sendable {
  /// Whether the Bluetooth service can be reached; the sentence says why not.
  case service(isAvailable: Bool, message: String)
  /// An adapter appeared or changed.
  case adapter(AdapterStatus)
  /// An adapter went away.
  case adapterGone(AdapterID)
  /// A scan that had gone deaf is restarted.
  case scanRestarted(AdapterID)
  /// A board was heard.
  case advertisement(AdvertisementReport)
  /// A board's link went up or down on the operating system's side, whoever asked for it.
  case connection(BoardID, AdapterID, isConnected: Bool)
}

/// What a radio offers: adapters, advertisements, links.
///
/// A radio names the executor it delivers packets on; a session that adopts this executor takes them without a hop.
public protocol Radio: Sendable {
  /// Where links deliver their packets. Sessions run here.
  nonisolated var executor: any SerialExecutor { get }

  /// What happens, in order. One consumer; advertisements coalesce per board and adapter when it falls behind.
  nonisolated var events: AsyncStream<RadioEvent> { get }

  /// Keeps the radio working until cancelled: connects to the service, again whenever it went away.
  func run() async

  /// Looks for boards on all adapters, or stops. With `unfiltered`, devices that do not advertise our services
  /// are reported too. Pauses by itself while a connection is made.
  func discover(_ isWanted: Bool, unfiltered: Bool) async

  /// Opens a link. Returns when the board's characteristics are there; gives up after `timeout`. Cancelling the
  /// calling task abandons the attempt.
  func connect(
    to board: BoardID, via adapter: AdapterID, timeout: Duration
  ) async throws(LinkFailure) -> any BoardLink

  /// Makes the system forget a board that is not connected, so that it is discovered anew.
  func forget(_ board: BoardID, on adapter: AdapterID) async

  /// Switches an adapter off and on again, which ends every link over it. Returns when it is on again. Throws
  /// `notPermitted` where this cannot be done, else why it did not come back.
  func reset(_ adapter: AdapterID) async throws(LinkFailure)

  /// Has the privileged helper of this computer do something. Throws `notPermitted` where there is none or it refuses.
  func recover(_ action: PrivilegedRecovery) async throws(LinkFailure)

  /// Reports advertisements of these boards whatever they carry: they need no service, no name and no signal strength.
  /// A scan that receives nothing for long while one of them is missing is restarted, unless `isSilenceNormal`.
  func expect(_ boards: Set<BoardID>, isSilenceNormal: Bool) async

  /// Uses these adapters and no others from now on, all there are where nil: the others are as good as gone, and links
  /// over them end.
  func use(_ adapters: Set<AdapterID>?) async

  /// Waits on the executor for `duration`, give or take a quarter: until packets have been delivered if some are about
  /// then, so that what they brought is reported at once. Throws as soon as the task is cancelled.
  nonisolated func pause(for duration: Duration, by timekeeper: any Timekeeper)
    async throws(CancellationError)
}

extension Radio {
  /// A radio whose adapters nobody can switch.
  public func reset(_ adapter: AdapterID) async throws(LinkFailure) {
    throw LinkFailure(.notPermitted, "this radio has no adapter that can be reset")
  }

  /// A radio without a privileged helper.
  public func recover(_ action: PrivilegedRecovery) async throws(LinkFailure) {
    throw LinkFailure(.notPermitted, "the recovery helper is not installed")
  }

  /// A radio whose deliveries are nothing to wait for.
  public nonisolated func pause(
    for duration: Duration, by timekeeper: any Timekeeper
  ) async throws(CancellationError) {
    try await timekeeper.sleep(for: duration)
  }
}
