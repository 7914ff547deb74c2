/// The commands of scripts for what goes wrong.
package enum FaultVerb: String, Sendable, CaseIterable, ScriptVerb {
  case drop, refuse, ignore, mute, delay, vanish, reset, battery, flood, malformed
  case loseWrite = "lose-write"
  case unreadable, truncate
  case clump
  case loseSamples = "lose-samples"
  case doubleSamples = "double-samples"
  case loseEntries = "lose-entries"
  case doubleEntries = "double-entries"
  case damageTicks = "damage-ticks"
  case impossibleValues = "impossible-values"
  case unknownNotifications = "unknown-notifications"
  case foreignHost = "foreign-host"
  case dfuJump = "dfu-jump"
  case dfuLate = "dfu-late"
  case dfuErase = "dfu-erase"
  case dfuAnswer = "dfu-answer"
  case dfuReceipts = "dfu-receipts"
  case dfuDrop = "dfu-drop"
  case dfuDropAfter = "dfu-drop-after"
  case dfuFlip = "dfu-flip"
  case dfuDie = "dfu-die"
  case dfuActivation = "dfu-activation"
  case dfuJam = "dfu-jam"
  case dfuBuffer = "dfu-buffer"
  case stale = "stale-attributes"
  case heal, adapter, service, radio

  /// No answer at all.
  static let silence = "silence"

  /// How it is written.
  package var form: String {
    switch self {
    case .drop, .mute, .vanish, .reset, .foreignHost, .stale: "\(rawValue) BOARDS"
    case .refuse: "refuse BOARDS [ERROR [TEXT]]"
    case .ignore: "ignore BOARDS \(Self.alternatives(IgnoredCall.self))"
    case .delay, .clump, .dfuLate, .dfuErase: "\(rawValue) BOARDS DURATION"
    case .battery, .dfuDrop, .dfuDie: "\(rawValue) BOARDS PERCENT"
    case .flood, .malformed: "\(rawValue) BOARDS COUNT"
    case .loseWrite, .unreadable, .truncate: "\(rawValue) BOARDS MODULE REGISTER [COUNT]"
    case .loseEntries, .doubleEntries, .damageTicks, .loseSamples, .doubleSamples, .dfuFlip:
      "\(rawValue) BOARDS [COUNT]"
    case .impossibleValues: "\(rawValue) BOARDS \(Self.alternatives(ImpossibleValue.self)) [COUNT]"
    case .unknownNotifications: "\(rawValue) BOARDS RATE"
    case .dfuJump: "dfu-jump BOARDS \(Self.alternatives(BootloaderDefect.Jump.self)) [COUNT]"
    case .dfuAnswer: "dfu-answer BOARDS \(Self.requests) \(Self.statuses) [COUNT]"
    case .dfuReceipts: "dfu-receipts BOARDS \(Self.alternatives(BootloaderDefect.Receipt.self)) [COUNT]"
    case .dfuDropAfter: "dfu-drop-after BOARDS \(Self.requests) [COUNT]"
    case .dfuActivation:
      "dfu-activation BOARDS \(Self.alternatives(BootloaderDefect.Activation.self)) [COUNT]"
    case .dfuJam: "dfu-jam BOARDS \(Self.alternatives(BootloaderDefect.Jam.self)) [COUNT]"
    case .dfuBuffer: "dfu-buffer BOARDS PACKETS"
    case .heal: "heal BOARDS [\(Self.alternatives(LastingFault.Kind.self))]"
    case .adapter: "adapter \(Self.alternatives(AdapterFault.self)) [NUMBER]"
    case .service: "service \(Self.alternatives(ServiceFault.self))"
    case .radio: "radio \(Self.alternatives(RadioQuality.self))|\(StimulusVerb.usual)"
    }
  }

  /// What it does, in a few words.
  package var meaning: String {
    switch self {
    case .drop: "their connections are lost"
    case .refuse: "Connect fails with this error of BlueZ (Failed le-connection-abort-by-local)"
    case .ignore: "calls of this kind are never answered"
    case .mute: "they accept writes and send nothing"
    case .delay: "what they send arrives so much later"
    case .vanish: "they stop advertising, and their connections are lost"
    case .reset: "they reset"
    case .battery: "their batteries hold so much"
    case .flood: "they send so many notifications at once"
    case .malformed: "they send this many malformed packets"
    case .loseWrite: "writes to this register are acknowledged, and it keeps what it held"
    case .unreadable: "reads of this register are never answered"
    case .truncate: "answers to reads of this register end one byte behind their header"
    case .loseEntries: "packets of a log's read-out are lost, while the notices of their pages arrive"
    case .clump: "what they send arrives in bursts, this far apart"
    case .loseSamples: "one in four packets of a vector stream is lost"
    case .doubleSamples: "one in four packets of a vector stream is duplicated"
    case .doubleEntries: "packets of a log download are duplicated"
    case .damageTicks: "entries of a log's read-out have a wrong time"
    case .impossibleValues: "they send values no sensor can measure"
    case .unknownNotifications: "they send this many well-formed but unknown notifications a second"
    case .foreignHost: "another host was there: its sensors, stream, processor, timer and loggers run"
    case .dfuJump:
      "jumps into the bootloader: nothing happens, the application starts again, the board is gone until it is reset"
    case .dfuLate: "their bootloaders are on the air so much later"
    case .dfuErase: "flash takes so long to be erased before a transfer"
    case .dfuAnswer: "the bootloader answers this request with this status, and does not carry it out"
    case .dfuReceipts:
      "receipts of a transfer are lost, come twice, twelve seconds late, with a wrong number, or in place of the last answer"
    case .dfuDrop: "the connection is lost once this much of an image has come"
    case .dfuDropAfter: "the connection is lost behind this request"
    case .dfuFlip: "a bit of a packet of an image is changed"
    case .dfuDie: "the battery is empty once this much of an image has come; reset puts in another one"
    case .dfuActivation:
      "an image is not activated, the old application starts, it shows another revision, it restarts every 20 s, the board is gone until it is reset"
    case .dfuJam:
      "the bootloader falls silent behind a broken transfer, or answers nothing behind its start, until a reset"
    case .dfuBuffer: "the bootloader holds no more packets of an image than this until they are in flash"
    case .stale: "bluetoothd shows the attributes of before a jump until the device is removed"
    case .heal: "clears all lasting faults, or one kind"
    case .adapter:
      "hci0, or the adapter of this number: switched off, blocked, pulled out, back under the next number, back"
    case .service: "bluetoothd dies, and is started again"
    case .radio:
      "the air becomes so for advertisements, attempts and further connections, or as it was at the start"
    }
  }

  private static var requests: String { BootloaderRequest.allCases.map(\.word).joined(separator: "|") }

  private static var statuses: String {
    (BootloaderStatus.allCases.map(\.word) + [silence]).joined(separator: "|")
  }
}
