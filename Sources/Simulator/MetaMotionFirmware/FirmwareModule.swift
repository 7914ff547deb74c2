/// One module of the firmware. The framing rules, the information read and the subscriptions are the
/// `Firmware`'s; a module keeps the meaning of its own registers.
protocol FirmwareModule: Sendable {
  static var id: UInt8 { get }

  /// Fresh from a reset.
  init(_ board: Mainboard)

  /// Registers that fire and that the host therefore can subscribe to.
  var streams: Set<UInt8> { get }

  /// Carries out a write; one that has the wrong length or makes no sense is dropped without a word
  /// (protocol reference 38, item 13).
  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard)

  /// What the answer carries after its header; nil if there is no answer.
  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]?

  /// When the module next has something to do, later than `board.now`.
  func nextEvent(on board: Mainboard) -> Duration?

  /// `board.now` is the time that `nextEvent` named.
  mutating func fire(on board: inout Mainboard)

  /// The processor restarts. What a module does not carry over here is lost.
  mutating func reset(on board: Mainboard)
}

extension FirmwareModule {
  var streams: Set<UInt8> { [] }

  func nextEvent(on board: Mainboard) -> Duration? { nil }

  mutating func fire(on board: inout Mainboard) {}

  mutating func reset(on board: Mainboard) { self = Self(board) }
}
