/// What a command means, with every argument checked. The compiler lists every place that must know a new one.
public enum Intent: Hashable, Sendable {
  // Board verbs.
  case led(LEDCommand)
  case identify(seconds: Int)
  case haptic(HapticCommand)
  case read(ReadRequest)
  case streamStart(StreamRequest, adjusted: [String], duration: Duration?)
  /// nil stops all.
  case streamStop(String?)
  case sensor(SensorCommand)
  case pin(PinCommand)
  case bus(BusCommand)
  case beacon(BeaconCommand)
  case settings(SettingsCommand)
  case program(ProgramCommand)
  case log(LogCommand)
  case reset
  /// Makes the board like new; `discard` is the number of log entries that may be lost.
  case factoryReset(discard: Int64?)
  /// Powers the board down until its button is pressed.
  case sleep
  case raw(RawCommand)
  /// Makes the board do what the profile of that name says, and nothing else.
  case profile(String)
  case disconnect(hold: Duration, by: DisconnectingSide)
  /// Has the board wait in its bootloader.
  case bootloader
  /// `refresh`: asks anew what firmware there is, however young the last answer.
  case firmwareCheck(refresh: Bool)
  /// `version` is nil for the latest; `force`: also the same or an older one; `file` is one of the gateway's own instead
  /// of what the index of releases offers.
  case firmwareUpdate(version: String?, force: Bool, file: String?)
  case firmwareAbort
  /// Why data come from the board, or do not.
  case explain

  // Gateway verbs.
  case admit(Admission)
  case forget(BoardID, keepsData: Bool)
  case scan(duration: Duration, all: Bool)
  case reload
  /// Opens or closes the door to boards that nobody listed. `duration` is nil unless the mode is `window`; `profile` is
  /// for what comes in.
  case admission(AdmissionPolicy.Mode, duration: Duration?, profile: String?)
  /// Ends all sessions at a safe point, and opens none until it is told to resume.
  case drain(resume: Bool)
  /// `force`: also while links on it deliver.
  case resetAdapter(AdapterID, force: Bool)
  case diagnostics
  /// Publishes again what was delivered before.
  case replay(ReplayRequest)
  /// Calls back the command or job of that identifier.
  case cancel(String)
}

/// Who ends the link.
public enum DisconnectingSide: String, Sendable, CaseIterable { case board, host }

/// A stream that is wanted, with its configuration checked and complete.
public struct StreamRequest: Hashable, Sendable {
  /// Name in the catalogue, or of a chain of the board.
  public var name: String
  /// The keys of the declaration with their values, defaults filled in.
  public var configuration: JSONObject
  /// Who on the board takes its samples, so that none come to the host; nil for those that do.
  public var consumer: BoardConsumer?

  /// Wants `name` as configured, for the host or for somebody on the board.
  public init(name: String, configuration: JSONObject, feeding consumer: BoardConsumer? = nil) {
    self.name = name
    self.configuration = configuration
    self.consumer = consumer
  }
}

/// Who on a board takes the samples of a sensor.
public enum BoardConsumer: Hashable, Sendable {
  /// A chain of processors, by name.
  case chain(String)
  /// The loggers of the stream itself.
  case log

  /// The chain, if it is one.
  public var chain: String? { if case .chain(let name) = self { name } else { nil } }
}

/// What to read once (MQTT contract 3.3).
public struct ReadRequest: Hashable, Sendable {
  /// The `what` argument.
  public var what: String
  /// The selectors, checked and complete.
  public var selectors: JSONObject

  /// Wants `what`, selected by `selectors`.
  public init(what: String, selectors: JSONObject) {
    self.what = what
    self.selectors = selectors
  }
}

/// A board to be admitted, and what is said about it.
public struct Admission: Hashable, Sendable {
  /// Which board.
  public var board: BoardID
  /// What is known of it; nil leaves what was known.
  public var name, site, profile: String?
  /// Groups it belongs to; nil leaves what was known.
  public var groups: [String]?
  /// Its labels; nil leaves what was known.
  public var labels: [String: String]?
  /// Whether we may connect to it; nil leaves what was known.
  public var isEnabled: Bool?

  /// Wants `board` admitted.
  public init(
    board: BoardID, name: String? = nil, site: String? = nil, profile: String? = nil, groups: [String]? = nil,
    labels: [String: String]? = nil, isEnabled: Bool? = nil
  ) {
    self.board = board
    self.name = name
    self.site = site
    self.profile = profile
    self.groups = groups
    self.labels = labels
    self.isEnabled = isEnabled
  }
}
