/// One module of the firmware. The framing rules, the information read and the subscriptions are the
/// `ModuleRack`'s; a module keeps the meaning of its own registers.
protocol FirmwareModule: Sendable {
  static var id: UInt8 { get }

  /// What people call it, in scripts of faults.
  static var name: String { get }

  /// True for a module whose objects live on the signals of others: processors, events, loggers.
  static var consumesSignals: Bool { get }

  /// Fresh from a reset.
  init(_ board: Mainboard)

  /// Registers that fire and that the host therefore can subscribe to.
  var streams: Set<UInt8> { get }

  /// Registers whose signals, requests and answers begin with an index: a channel, a pin, a slot.
  var indexed: Set<UInt8> { get }

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
  mutating func reset(on board: inout Mainboard)

  /// The processor is up again after a reset, and nobody is connected yet.
  mutating func boot(on board: inout Mainboard)

  /// The link is gone, and the board goes on.
  mutating func linkGone(on board: inout Mainboard)

  /// Whether what this source fires goes to a connected host.
  func forwards(_ source: SignalSource, on board: Mainboard) -> Bool

  /// What this module's objects listen to.
  var sources: Set<SignalSource> { get }

  /// A signal that may be one of its sources.
  mutating func receive(_ signal: Signal, on board: inout Mainboard)
}

extension FirmwareModule {
  static var consumesSignals: Bool { false }

  var streams: Set<UInt8> { [] }

  var indexed: Set<UInt8> { [] }

  func nextEvent(on board: Mainboard) -> Duration? { nil }

  mutating func fire(on board: inout Mainboard) {}

  mutating func reset(on board: inout Mainboard) { self = Self(board) }

  mutating func boot(on board: inout Mainboard) {}

  mutating func linkGone(on board: inout Mainboard) {}

  func forwards(_ source: SignalSource, on board: Mainboard) -> Bool {
    board.isSubscribed(source.module, source.register)
  }

  var sources: Set<SignalSource> { [] }

  mutating func receive(_ signal: Signal, on board: inout Mainboard) {}
}
