/// Why something is not as it should be, for programs: the one list of `reason_code` (MQTT contract 1.8). The sentence
/// beside a code is for people and may be worded otherwise at any time; nobody compares it.
public enum ReasonCode: String, Sendable, CaseIterable {
  // Why a link did not open, or ended.
  case unreachable, refused
  case adapterBusy = "adapter-busy"
  case noSlots = "no-slots"
  case timedOut = "timed-out"
  case linkLost = "link-lost"
  case deviceGone = "device-gone"
  case silent
  case servicesMissing = "services-missing"
  case busyElsewhere = "busy-elsewhere"
  case closed
  case adapterGone = "adapter-gone"
  case adapterOff = "adapter-off"
  case noAddress = "no-address"
  case recoveryExhausted = "recovery-exhausted"
  case serviceGone = "service-gone"
  case bondRequired = "bond-required"
  case unknownModel = "unknown-model"
  case identityMismatch = "identity-mismatch"
  case notPermitted = "not-permitted"
  case other
  // Why none is tried.
  case disabled, held, drained, asleep, bootloader
  case gatewayStopped = "gateway-stopped"
  case notHeard = "not-heard"
  case awaitingAdvertisement = "awaiting-advertisement"
  case noRadio = "no-radio"
  // Why a board that is connected does not do all that is wanted.
  case setupInvalid = "setup-invalid"
  case setupUnsupported = "setup-unsupported"
  case setupNoSlots = "setup-no-slots"
  case setupBoardError = "setup-board-error"
  case setupRefused = "setup-refused"
  // What is wrong with a stream.
  case streamSilent = "stream-silent"
  case samplesMissing = "samples-missing"
  case sensorSlow = "sensor-slow"
  case sensorFast = "sensor-fast"
  case packetsDoubled = "packets-doubled"
  case notLogged = "not-logged"
  // What is wrong with an adapter's scan.
  case scanSilent = "scan-silent"
  // What is doubtful about a board that is looked after.
  case identityChanged = "identity-changed"

  /// What it says, in a sentence that names no particular board.
  public var meaning: String {
    switch self {
    case .unreachable: "The board did not answer."
    case .refused: "The board, or BlueZ, refused or aborted the connection."
    case .adapterBusy: "The adapter was busy with another connection attempt."
    case .noSlots: "The adapter has no free connection slot."
    case .timedOut: "A connection attempt timed out."
    case .linkLost: "The connection was lost, or the board closed it."
    case .deviceGone: "BlueZ removed the board while it was in use."
    case .silent: "The board was connected and did not answer."
    case .servicesMissing: "The device does not have a MetaMotion's services."
    case .busyElsewhere: "Another program is connected to the board."
    case .closed: "The gateway closed the connection."
    case .adapterGone: "The adapter was removed."
    case .adapterOff: "The adapter is off or blocked."
    case .noAddress: "The adapter has no Bluetooth address of its own."
    case .recoveryExhausted: "The adapter does not work, and nothing that the gateway tried helped."
    case .serviceGone: "BlueZ is not running."
    case .bondRequired: "The board wants to be paired."
    case .unknownModel: "The board is of a model that the gateway does not know."
    case .identityMismatch: "The board has another serial number than the configuration names."
    case .notPermitted: "The gateway is not permitted to use BlueZ."
    case .other: "Another reason; the sentence says which."
    case .disabled: "The board is disabled in the configuration."
    case .held: "The board is disconnected on request."
    case .drained: "The gateway is drained."
    case .asleep: "The board was put to sleep."
    case .gatewayStopped: "The gateway was stopped, and says nothing of the board until it starts again."
    case .bootloader: "The board is in its bootloader."
    case .notHeard: "No advertisement of the board was received yet."
    case .awaitingAdvertisement: "The gateway connects when the board advertises again."
    case .noRadio: "No Bluetooth adapter can be used."
    case .setupInvalid: "A part of the desired state is invalid."
    case .setupUnsupported: "The board does not support a part of the desired state."
    case .setupNoSlots: "The board has no free slots for a part of the desired state."
    case .setupBoardError: "The board did not accept a part of the desired state."
    case .setupRefused: "A part of the desired state cannot be applied, for another reason or several."
    case .streamSilent: "A stream was started and sends no samples."
    case .samplesMissing: "Samples of a stream are lost in transmission."
    case .sensorSlow: "A sensor sends fewer samples than its rate."
    case .sensorFast: "A sensor sends more samples than its rate."
    case .packetsDoubled: "Duplicate packets of a stream are received."
    case .notLogged: "The board does not log what its profile says."
    case .scanSilent: "Nothing is received over the adapter although boards are missing."
    case .identityChanged: "Another board than before answers at the address."
    }
  }

  /// Whether somebody ordered it, so that nobody need be alarmed.
  public var isOrdered: Bool {
    switch self {
    case .disabled, .held, .drained, .asleep, .gatewayStopped: true
    default: false
    }
  }

  /// Whether it is about what a board is meant to do, and not about its link.
  public var isOfSetup: Bool {
    switch self {
    case .setupInvalid, .setupUnsupported, .setupNoSlots, .setupBoardError, .setupRefused: true
    default: false
    }
  }

  /// Why a board cannot have all that is wanted of it.
  public init(refusals codes: some Sequence<CommandFailure.Code>) {
    let reasons = Set(codes.map(Self.setup))
    self = reasons.count == 1 ? reasons.first ?? .setupRefused : .setupRefused
  }

  private static func setup(_ code: CommandFailure.Code) -> ReasonCode {
    switch code {
    case .invalid: .setupInvalid
    case .unsupported: .setupUnsupported
    case .noSlots: .setupNoSlots
    case .boardError: .setupBoardError
    default: .setupRefused
    }
  }
}

/// A reason as it is published: a code for programs, and a sentence for people.
public struct StatedReason: Hashable, Sendable {
  /// What programs go by.
  public var code: ReasonCode
  /// One sentence for a person.
  public var sentence: String

  /// States a reason.
  public init(_ code: ReasonCode, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }
}
