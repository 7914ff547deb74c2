/// What the modules of one board share: its clock, its senses, and the way out for what they have to say.
struct Mainboard: Sendable {
  /// Why the processor started last (protocol reference 27, register 0B).
  enum ResetCause: Sendable {
    case powerOn
    case software
  }

  let model: BoardModel
  let identity: BoardIdentity
  let assumptions: FirmwareAssumptions
  let motion: Motion
  let climate: Climate
  let noise: SensorNoise

  var battery: Battery
  var isSwitchPressed = false

  var now: Duration
  var startedAt: Duration
  /// Counts resets modulo 8; log entries carry it.
  var resetCount: UInt8
  var resetCause = ResetCause.powerOn
  var isConnected = false
  /// Streams that the host switched on. They belong to the board, not to the link (protocol reference 2.3).
  var subscriptions: Set<Source> = []
  /// What a module wants done once its write has been carried out.
  var request: Request?
  var effects: [Effect] = []

  /// A register that fires.
  struct Source: Hashable, Sendable {
    let module: UInt8
    let register: UInt8
  }

  enum Request: Sendable {
    case disconnect
    case reset
    /// Resets before advertising starts again, that is after the link is gone.
    case resetAfterLink
    /// The next reset ends powered down.
    case powerDownAtReset
    case bootloader(forGood: Bool)
    case advertise
    case advertisementChanged
  }

  func isSubscribed(_ module: UInt8, _ register: UInt8) -> Bool {
    subscriptions.contains(Source(module: module, register: register))
  }

  /// A signal fired: everybody on the board who listens to this register gets the value. So far that is the
  /// host, if it subscribed.
  mutating func fire(_ module: UInt8, _ register: UInt8, _ payload: [UInt8]) {
    guard isConnected, isSubscribed(module, register) else { return }
    effects.append(.notify(Packet.notification(module: module, register: register, payload)))
  }

  /// A value was read: the host gets it unless it asked silently.
  mutating func answer(_ packet: Packet, _ payload: [UInt8]) {
    guard isConnected, packet.verb == .read else { return }
    effects.append(
      .notify(Packet.reply(module: packet.module, register: packet.register, payload)))
  }
}
