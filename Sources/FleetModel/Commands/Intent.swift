/// What a command means, with every argument checked, by who carries it out. The compiler lists every place that must
/// know a new one.
public enum Intent: Hashable, Sendable {
  /// For a board of ours.
  case board(BoardIntent)
  /// For the gateway itself.
  case gateway(GatewayIntent)
  /// Calls back the command or job of that identifier; the command dispatcher knows what waits and runs.
  case cancel(String)

  /// What the session of a board's link does.
  public static func link(_ intent: LinkIntent) -> Intent { .board(.link(intent)) }

  /// What is written to a board, and nothing else.
  public static func device(_ intent: DeviceIntent) -> Intent { .board(.device(intent)) }
}

/// What a command means for a board; its supervisor carries it out.
public enum BoardIntent: Hashable, Sendable {
  /// On the board's link, and in its order.
  case link(LinkIntent)
  /// Makes the board do what the profile of that name says, and nothing else.
  case profile(String)
  /// Ends the link, and lets none begin for a while.
  case disconnect(hold: Duration, by: DisconnectingSide)
  case firmware(FirmwareIntent)
  /// Why data of the board are received, or not.
  case explain
  /// Keeps alarms quiet for a while.
  case maintenance(MaintenanceRequest)
  /// Several, one after the other.
  case batch(BatchCommand)

  /// What is written to a board, and nothing else.
  public static func device(_ intent: DeviceIntent) -> BoardIntent { .link(.device(intent)) }
}

/// What a command means on a link; its session carries it out.
public enum LinkIntent: Hashable, Sendable {
  /// It is written to the board, and nothing else is to be kept in step.
  case device(DeviceIntent)
  case streamStart(StreamRequest, adjusted: [String], duration: Duration?)
  /// nil stops all.
  case streamStop(String?)
  case log(LogCommand)
  /// The host ends the link.
  case disconnect
}

extension LinkIntent {
  /// Whether the link ends because of it, where it is carried out.
  public var endsLink: Bool {
    switch self {
    case .disconnect: true
    case .device(.reset), .device(.factoryReset), .device(.sleep), .device(.disconnect): true
    case .device(.enterBootloader): true
    case .device(.program(.eraseMacros)): true
    default: false
    }
  }
}

extension BoardIntent {
  /// Whether the board is not there for another command right behind it.
  public var endsLink: Bool {
    switch self {
    case .link(let intent): intent.endsLink
    case .disconnect, .firmware(.bootloader), .firmware(.update): true
    case .profile, .firmware, .explain, .maintenance, .batch: false
    }
  }
}

extension Intent {
  /// How many commands it stands for where commands are counted.
  public var commandCount: Int { if case .board(.batch(let batch)) = self { batch.steps.count } else { 1 } }
}

/// What a command means for the board itself; its driver carries it out.
public enum DeviceIntent: Hashable, Sendable {
  case led(LEDCommand)
  case identify(seconds: Int)
  case haptic(HapticCommand)
  case read(ReadRequest)
  case sensor(SensorCommand)
  case pin(PinCommand)
  case bus(BusCommand)
  case beacon(BeaconCommand)
  case settings(SettingsCommand)
  case program(ProgramCommand)
  case reset
  /// Makes the board like new; `discard` is the number of log entries that may be lost.
  case factoryReset(discard: Int64?)
  /// Powers the board down until its button is pressed.
  case sleep
  /// Has the board end the link.
  case disconnect
  /// Has the board restart in its bootloader.
  case enterBootloader
  case raw(RawCommand)
}

/// What a command means for a board's firmware.
public enum FirmwareIntent: Hashable, Sendable {
  /// Has the board wait in its bootloader.
  case bootloader
  /// `refresh`: asks anew what firmware there is, however young the last answer.
  case check(refresh: Bool)
  /// Installs other firmware.
  case update(FirmwareOrder)
  case abort
}

/// Which firmware a board is to get.
public struct FirmwareOrder: Hashable, Sendable {
  /// nil for the latest.
  public var version: String?
  /// Also the same version, or an older one.
  public var isForced: Bool
  /// A file of the gateway's own instead of what the index of releases offers.
  public var file: String?
  /// Also where the bootloader has to be replaced first.
  public var allowsBootloader: Bool
  /// The number of log entries that may be lost.
  public var discard: Int64?

  /// Orders firmware.
  public init(
    version: String? = nil, isForced: Bool = false, file: String? = nil, allowsBootloader: Bool = false,
    discard: Int64? = nil
  ) {
    (self.version, self.isForced, self.file) = (version, isForced, file)
    (self.allowsBootloader, self.discard) = (allowsBootloader, discard)
  }
}

/// What a command means for the gateway.
public enum GatewayIntent: Hashable, Sendable {
  case admit(Admission)
  case forget(ForgetRequest)
  case scan(duration: Duration, all: Bool)
  /// Reads the configuration file again. `isConfirmed`: also one that is not obeyed otherwise, such as one that no
  /// longer lists most of the boards.
  case reload(isConfirmed: Bool)
  /// Opens or closes admission for boards that are not listed. `duration` is nil unless the mode is `window`; `profile`
  /// is for what comes in.
  case admission(AdmissionPolicy.Mode, duration: Duration?, profile: String?)
  /// Ends all sessions at a safe point, and opens none until it is ordered to resume.
  case drain(resume: Bool)
  /// `force`: also while links on it deliver.
  case resetAdapter(AdapterID, force: Bool)
  case diagnostics
  /// Publishes again what was delivered before.
  case replay(ReplayRequest)
  /// Deletes sessions from the archive.
  case deleteSessions(SessionDeletionRequest)
  /// Somebody has seen alarms.
  case acknowledgeAlarms(AlarmAcknowledgement)
  /// New firmware for the boards of a group, one after the other.
  case rollout(RolloutRequest)
}

/// Who ends the link.
public enum DisconnectingSide: String, Sendable, CaseIterable { case board, host }
