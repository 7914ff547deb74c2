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
  case serviceGone = "service-gone"
  case notPermitted = "not-permitted"
  case other
  // Why none is tried.
  case disabled, held, drained, asleep, bootloader
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

  /// What it says, in a sentence that names no particular board.
  public var meaning: String {
    switch self {
    case .unreachable: "Nobody answered at the board's address."
    case .refused: "The board, or BlueZ, refused the link or broke the attempt off."
    case .adapterBusy: "The adapter was busy with another attempt."
    case .noSlots: "The adapter has no room for another link."
    case .timedOut: "An attempt took longer than it may."
    case .linkLost: "The board ended the link, or the radio lost it."
    case .deviceGone: "BlueZ forgot the board while it was in use."
    case .silent: "The link stood, and the board answered nothing."
    case .servicesMissing: "What answered does not offer a board's services."
    case .busyElsewhere: "Another program holds the board."
    case .closed: "The gateway ended the link itself."
    case .adapterGone: "The adapter is gone."
    case .adapterOff: "The adapter is off or blocked."
    case .serviceGone: "BlueZ does not run."
    case .notPermitted: "The system does not let the gateway use BlueZ."
    case .other: "Something else; the sentence tells more."
    case .disabled: "The board is disabled in the configuration."
    case .held: "Somebody asked for the link to be dropped."
    case .drained: "The gateway was told to let go of all its links."
    case .asleep: "The board was put to sleep."
    case .bootloader: "The board waits in its bootloader."
    case .notHeard: "The board has not been heard yet."
    case .awaitingAdvertisement: "The gateway connects when it hears the board again."
    case .noRadio: "There is no adapter that can be used."
    case .setupInvalid: "A part of what is wanted is wrong in itself."
    case .setupUnsupported: "The board cannot do a part of what is wanted."
    case .setupNoSlots: "The board has no room for a part of what is wanted."
    case .setupBoardError: "The board did not take a part of what is wanted."
    case .setupRefused: "A part of what is wanted cannot be had, for another reason or for several."
    case .streamSilent: "A stream was started, and brings nothing."
    case .samplesMissing: "Samples of a stream are lost on their way."
    case .sensorSlow: "A sensor takes fewer samples than it was set to."
    case .sensorFast: "More samples come than the sensor was set to take."
    case .packetsDoubled: "Packets of a stream come twice."
    case .notLogged: "The board does not log what it should."
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
