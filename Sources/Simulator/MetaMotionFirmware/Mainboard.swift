/// What the modules of one board share: its clock, its senses, and the way out for what they have to say.
struct Mainboard: Sendable {
  /// What the board's sensors and its button feel.
  struct Surroundings: Sendable {
    var motion: Motion
    var climate: Climate
    let noise: SensorNoise
    var isSwitchPressed = false
  }

  /// The processor's last start.
  struct Start: Sendable {
    /// Why it was (protocol reference 27, register 0B).
    enum Cause: String, Sendable {
      case powerOn = "power-on"
      case software
      /// The firmware crashed.
      case lockUp = "lock-up"
    }

    var time: Duration
    var cause = Cause.powerOn
    /// Counts resets modulo 8; log entries carry it.
    var resetCount: UInt8
  }

  /// Who gets what fires.
  struct Listeners: Sendable {
    /// Streams that the host switched on. They belong to the board, not to the link (protocol reference 2.3).
    var subscriptions: Set<SignalSource> = []
    /// Sources, whatever their index, that somebody on the board listens to.
    var consumed: Set<SignalSource> = []
  }

  /// How the sensors run.
  struct Sensors: Sendable {
    /// Modules whose sensor measures now; the fusion needs to know.
    var running: Set<UInt8> = []
    /// What the host wrote to the power registers.
    var powerModes: [UInt8: UInt8] = [:]
    /// Of how many samples of a module one is delivered, where it is not each (protocol reference 9.6).
    var strides: [UInt8: Int64] = [:]
    /// How many samples accelerometer and gyroscope take where they should take one.
    var speed = 1.0
  }

  var model: BoardModel
  let identity: BoardIdentity
  let assumptions: FirmwareAssumptions
  var surroundings: Surroundings
  var battery: Battery

  var now: Duration
  var start: Start
  var isConnected = false
  var listeners = Listeners()
  var sensors: Sensors
  /// What fired and is to be handed on, and commands of events and macros, in order.
  var errands: [Errand] = []
  /// What a module wants done once its write has been carried out.
  var request: Request?
  var effects: [Effect] = []
  /// How much faster the crystal runs than it should.
  var crystal = Crystal()
  /// What the outside is told of.
  var ledger: LedgerScope = []

  /// Work that one step on the board leaves for the next.
  enum Errand: Sendable {
    case handOn(Signal)
    case perform(Packet)
    /// Notify the host, behind what waits to be handed on.
    case notify([UInt8])
    /// Act as if a register had fired.
    case spoof(module: UInt8, register: UInt8, data: [UInt8])
  }

  enum Request: Sendable {
    case disconnect
    case reset
    /// The firmware crashes, and starts again.
    case crash
    /// Resets before advertising starts again, that is after the link is gone.
    case resetAfterLink
    /// The next reset ends powered down.
    case powerDownAtReset
    case bootloader(forGood: Bool)
    case advertise
    case advertisementChanged
  }

  /// Since the processor started, by its own crystal.
  var uptime: Duration { crystal.time(after: now - start.time) }

  /// Tells the outside what became of the log, if it wants to know.
  mutating func note(_ entry: LedgerEntry) {
    if ledger.contains(.log) { effects.append(.noted(entry, at: now)) }
  }

  /// Tells the outside what a sensor measured at `time`, if it wants to know.
  mutating func note(sample: [UInt8], of module: UInt8, at time: Duration) {
    if ledger.contains(.samples) { effects.append(.noted(.measured(module: module, sample), at: time)) }
  }

  /// Tells the outside what the board does, if it wants to know.
  mutating func note(action: @autoclosure () -> LedgerEntry, at time: Duration? = nil) {
    if ledger.contains(.actions) { effects.append(.noted(action(), at: time ?? now)) }
  }

  func isSubscribed(_ module: UInt8, _ register: UInt8) -> Bool {
    listeners.subscriptions.contains(SignalSource(module: module, register: register))
  }

  func isConsumed(_ module: UInt8, _ register: UInt8) -> Bool {
    listeners.consumed.contains(SignalSource(module: module, register: register))
  }

  /// Whether anybody would get the value of a register that fires: a sensor need not compute for nobody.
  func isWanted(_ module: UInt8, _ register: UInt8) -> Bool {
    isConnected && isSubscribed(module, register) || isConsumed(module, register)
  }

  /// A signal fired: everybody who listens to this register gets the value.
  mutating func fire(_ module: UInt8, _ register: UInt8, _ payload: [UInt8]) {
    guard isWanted(module, register) else { return }
    fire(SignalSource(module: module, register: register), payload)
  }

  /// One of several signals behind one register fired.
  mutating func fire(_ source: SignalSource, _ payload: [UInt8]) {
    note(
      action: .fired(
        module: source.module, register: source.register,
        index: source.index == SignalSource.noIndex ? nil : source.index, payload))
    handOn(source, payload)
  }

  /// The same of a sample, which is noted by itself.
  mutating func handOn(_ source: SignalSource, _ payload: [UInt8]) {
    errands.append(.handOn(Signal(source: source, payload: payload, isFired: true)))
  }

  /// The host hears of a register whether or not it asked to.
  mutating func announce(_ module: UInt8, _ register: UInt8, _ payload: [UInt8]) {
    errands.append(.notify(Packet.notification(module: module, register: register, payload)))
  }

  /// The answer to a create command: the register without flags.
  mutating func acknowledge(_ module: UInt8, _ register: UInt8, _ payload: [UInt8]) {
    guard isConnected else { return }
    effects.append(.notify(Packet.notification(module: module, register: register, payload)))
  }

  /// A value was read: the host gets it unless it asked silently.
  mutating func answer(_ packet: Packet, _ payload: [UInt8]) {
    guard isConnected, packet.verb == .read else { return }
    effects.append(
      .notify(Packet.reply(module: packet.module, register: packet.register, payload)))
  }

  /// As the BMI160 shows it: two bits each for magnetometer, gyroscope and accelerometer, from the lowest up.
  var inertialPower: UInt8 {
    let modules = [MagnetometerModule.id, GyroscopeModule.id, AccelerometerModule.id]
    return modules.reversed().reduce(0) { $0 << 2 | (sensors.powerModes[$1] ?? 0) & 0x03 }
  }

  /// A sensor starts or stops to measure.
  mutating func setRunning(_ module: UInt8, _ isRunning: Bool) {
    if isRunning { sensors.running.insert(module) } else { sensors.running.remove(module) }
  }
}
