import FleetModel

/// One board, byte by byte: what the host writes goes in, notifications and what happens to the link come out.
/// A pure value: time is a parameter, nothing sleeps. Written from the protocol reference alone, so that host
/// and simulator cannot be wrong in the same way.
///
///                 connected           reset, FE 01               3 s
///     advertising ─────────▶ linked ─────────────▶ restarting ─────────▶ advertising
///          ▲  │ time-out       │ │                     │ power save (FE 07)
///          │  ▼                │ └─ FE 02 ▶ bootloader ▼
///          │ quiet ── press    │            │  powered down ── press ▶ restarting
///          │                   │            └─ starts the application ▶ restarting
///          └───────────────────┘ link gone
package struct Firmware: Sendable {
  /// Absence from the air after a reset (protocol reference 36).
  private static let restartTime = Duration.seconds(3)

  private enum State: Sendable {
    case application
    case restarting(until: Duration)
    case poweredDown
    case bootloader(forGood: Bool)
  }

  private var board: Mainboard
  private var rack: ModuleRack
  private var state = State.application
  /// When the board stops advertising for lack of interest; nil means never.
  private var advertisesUntil: Duration?
  private var resetsAfterLink = false
  private var powersDownAtReset = false

  /// A board that was switched on at `now`. `seed` decides its motion, temperatures, noise and battery,
  /// `sensorSpeed` how many samples accelerometer and gyroscope take where they should take one.
  package init(
    model: BoardModel, identity: BoardIdentity, seed: UInt64, style: Motion.Style = .everyday,
    resetCount: UInt8 = 0, assumptions: FirmwareAssumptions = FirmwareAssumptions(),
    crystal: Crystal = Crystal(), sensorSpeed: Double = 1, ledger: LedgerScope = [],
    at now: Duration = .zero
  ) {
    var random = SeededGenerator(seed: seed)
    board = Mainboard(
      model: model, identity: identity, assumptions: assumptions,
      surroundings: .init(
        motion: Motion(seed: random.next(), style: style), climate: Climate(seed: random.next()),
        noise: SensorNoise(seed: random.next())),
      battery: Battery(seed: random.next(), at: now), now: now,
      start: .init(time: now, resetCount: resetCount & 0x07), sensors: .init(speed: sensorSpeed),
      crystal: crystal, ledger: ledger)
    rack = ModuleRack(on: board)
  }

  package var model: BoardModel { board.model }
  package var identity: BoardIdentity { board.identity }
  package var isConnected: Bool { board.isConnected }

  /// True in the bootloader, which serves other attributes than the application.
  package var isBootloader: Bool {
    if case .bootloader = state { true } else { false }
  }

  /// True once a host has sent `FE 08`, which no host ever should (protocol reference 38, item 16).
  package var isInvalidated: Bool {
    if case .bootloader(forGood: true) = state { true } else { false }
  }

  /// Up to when it has been looked after.
  var now: Duration { board.now }

  /// What the board advertises; nil while it does not, and in its bootloader, which advertises by itself.
  package var advertisement: Advertisement? {
    guard !board.isConnected else { return nil }
    switch state {
    case .application:
      if let advertisesUntil, advertisesUntil <= board.now { return nil }
      let own = settings.advertisement(of: board)
      return rack.module(BeaconModule.self)?.added(to: own) ?? own
    case .bootloader, .restarting, .poweredDown: return nil
    }
  }

  /// A module as it is now, for those who want to look at a board's lamps.
  package func module<Module>(_ type: Module.Type) -> Module? {
    rack.modules.lazy.compactMap { $0 as? Module }.first
  }

  /// Charge of the battery, as the battery service shows it.
  package func batteryPercent(at now: Duration) -> UInt8 { board.battery.percent(at: now) }

  /// When `advance(to:)` next has something to do; nil if nothing happens until somebody else does something.
  package var nextEvent: Duration? {
    if case .restarting(let until) = state { return until }
    guard case .application = state else { return nil }
    let own =
      board.isConnected
      ? board.battery.nextChange(after: board.now) : advertisesUntil.flatMap { $0 > board.now ? $0 : nil }
    return Self.earlier(own, rack.nextEvent)
  }

  /// Lets time pass.
  package mutating func advance(to now: Duration) -> [Effect] {
    catchUp(to: now)
    return takeEffects()
  }

  /// A central opened the link. A board that does not advertise cannot be connected to.
  package mutating func connected(at now: Duration) -> [Effect] {
    catchUp(to: now)
    guard advertisement != nil else { return takeEffects() + [.dropLink] }
    board.isConnected = true
    board.note(action: .link(isUp: true))
    rack.touch()
    board.effects.append(.advertisementChanged)
    return takeEffects()
  }

  /// The link is gone, by whatever cause.
  package mutating func disconnected(at now: Duration) -> [Effect] {
    catchUp(to: now)
    linkGone()
    return takeEffects()
  }

  /// The host wrote to the command characteristic.
  package mutating func write(_ bytes: [UInt8], at now: Duration) -> [Effect] {
    catchUp(to: now)
    if board.isConnected, case .application = state, let packet = Packet(bytes) {
      rack.perform(packet, on: &board)
    }
    return takeEffects()
  }

  /// Somebody presses the button, or lets go. A press wakes a board that powered down, and makes a quiet one
  /// advertise again.
  package mutating func setSwitch(pressed: Bool, at now: Duration) -> [Effect] {
    catchUp(to: now)
    guard pressed != board.surroundings.isSwitchPressed else { return takeEffects() }
    board.surroundings.isSwitchPressed = pressed
    switch state {
    case .poweredDown where pressed:
      powersDownAtReset = false
      restart(cause: .powerOn)
    case .application:
      board.fire(SwitchModule.id, SwitchModule.state, [pressed ? 1 : 0])
      if pressed, !board.isConnected { startAdvertising() }
    default: break
    }
    return takeEffects()
  }

  /// Somebody does something with the board: every sensor notices.
  package mutating func happen(_ event: PhysicalEvent, at now: Duration) -> [Effect] {
    catchUp(to: now)
    board.surroundings.motion.happen(event, at: now)
    rack.change(AccelerometerModule.self) { $0.notice(event, on: &board) }
    return takeEffects()
  }

  /// Somebody puts a voltage on a pin, in millivolts, or takes it away with nil.
  package mutating func setVoltage(_ millivolts: Double?, pin: UInt8, at now: Duration) -> [Effect] {
    catchUp(to: now)
    rack.change(GPIOModule.self) { $0.setVoltage(millivolts, pin: pin, on: &board) }
    return takeEffects()
  }

  /// Somebody plugs a charger in, or out.
  package mutating func setExternalPower(_ isPresent: Bool, at now: Duration) -> [Effect] {
    catchUp(to: now)
    guard isPresent != board.battery.hasExternalPower else { return takeEffects() }
    board.battery.setExternalPower(isPresent, at: now)
    rack.touch()
    notifySupply(onlyIfPresent: false)
    return takeEffects()
  }

  /// The air around it, or the light on it, is so from now on; with nil as it is by itself.
  package mutating func set(
    _ quantity: Climate.Quantity, to value: Double?, at now: Duration
  ) -> [Effect] {
    catchUp(to: now)
    board.surroundings.climate.set(quantity, to: value)
    return takeEffects()
  }

  /// Puts the battery to a charge of the caller's choice.
  package mutating func setBattery(percent: Double, at now: Duration) -> [Effect] {
    catchUp(to: now)
    board.battery.set(percent: percent, at: now)
    rack.touch()
    if board.isConnected { board.effects.append(.batteryChanged(percent: batteryPercent(at: now))) }
    return takeEffects()
  }

  /// The bootloader starts the application: as it was, or as other firmware of this revision, nil for the same. With
  /// other firmware what the board was told to log and to do is lost where `clearing`.
  package mutating func leaveBootloader(
    running revision: String? = nil, clearing: Bool = false, at now: Duration
  ) -> [Effect] {
    catchUp(to: now)
    guard case .bootloader = state else { return [] }
    if let revision { board.model = board.model.running(revision) }
    if clearing {
      rack.change(LoggingModule.self) { $0.loseEverything(on: &board) }
      rack = ModuleRack(on: board)
    }
    state = .restarting(until: board.now + Self.restartTime)
    return takeEffects()
  }

  /// Its firmware crashes.
  package mutating func crash(at now: Duration) -> [Effect] {
    catchUp(to: now)
    if case .application = state { restart(cause: .lockUp) }
    return takeEffects()
  }

  /// Takes the battery out and puts it in again: also the way out of the bootloader, unless for good.
  package mutating func cyclePower(at now: Duration) -> [Effect] {
    catchUp(to: now)
    restart(cause: .powerOn)
    return takeEffects()
  }
}

extension Firmware {
  private mutating func takeEffects() -> [Effect] {
    runPending()
    defer { board.effects = [] }
    return board.effects
  }

  /// Until nothing on the board waits to be done at this instant.
  private mutating func runPending() {
    var budget = ModuleRack.mostStepsAtOnce
    rack.runPending(on: &board, budget: &budget)
    while let request = board.request {
      board.request = nil
      carryOut(request)
      rack.runPending(on: &board, budget: &budget)
    }
  }

  /// Everything that falls due until `now`, in order of time. Time that runs backwards stands still.
  private mutating func catchUp(to now: Duration) {
    while let next = nextEvent, next <= now { reach(next) }
    board.now = max(board.now, now)
  }

  private mutating func reach(_ time: Duration) {
    if case .restarting = state {
      board.now = time
      boot()
      return
    }
    let percentBefore = batteryPercent(at: board.now)
    board.now = time
    if board.isConnected, batteryPercent(at: time) != percentBefore {
      board.effects.append(.batteryChanged(percent: batteryPercent(at: time)))
    }
    rack.fireDue(on: &board)
    if advertisesUntil == time { board.effects.append(.advertisementChanged) }
    runPending()
  }

  private mutating func carryOut(_ request: Mainboard.Request) {
    switch request {
    case .disconnect: dropLink()
    case .reset: restart(cause: .software)
    case .crash: restart(cause: .lockUp)
    case .resetAfterLink:
      if board.assumptions.delayedResetActsAtOnce {
        restart(cause: .software)
      } else {
        resetsAfterLink = true
      }
    case .powerDownAtReset: powersDownAtReset = true
    case .bootloader(let forGood):
      clearForRestart(cause: .software)
      state = .bootloader(forGood: forGood)
      board.effects.append(.advertisementChanged)
    case .advertise: if !board.isConnected { startAdvertising() }
    case .advertisementChanged: board.effects.append(.advertisementChanged)
    }
  }

  private mutating func dropLink() {
    guard board.isConnected else { return }
    board.effects.append(.dropLink)
    linkGone()
  }

  private mutating func linkGone() {
    guard board.isConnected else { return }
    board.isConnected = false
    board.note(action: .link(isUp: false))
    guard case .application = state else { return }
    rack.linkGone(on: &board)
    runPending()
    // What hung on the disconnect may have restarted the board already.
    guard case .application = state else { return }
    if resetsAfterLink {
      restart(cause: .software, keepsClock: board.assumptions.clockSurvivesDelayedReset)
    } else {
      startAdvertising()
    }
  }

  private mutating func startAdvertising() {
    advertisesUntil = settings.advertisingTimeout.map { board.now + $0 }
    board.effects.append(.advertisementChanged)
  }

  private mutating func restart(cause: Mainboard.Start.Cause, keepsClock: Bool = false) {
    if case .bootloader(forGood: true) = state { return }
    let startedAt = board.start.time
    clearForRestart(cause: cause)
    if keepsClock { board.start.time = startedAt }
    state = powersDownAtReset ? .poweredDown : .restarting(until: board.now + Self.restartTime)
    powersDownAtReset = false
  }

  /// What a processor forgets. The log clock starts at 0, the reset count goes on.
  private mutating func clearForRestart(cause: Mainboard.Start.Cause) {
    if board.isConnected {
      board.effects.append(.dropLink)
      board.note(action: .link(isUp: false))
    }
    board.isConnected = false
    board.note(action: .restarted(cause.rawValue))
    board.start.cause = cause
    if !board.assumptions.resetCountStays { board.start.resetCount = (board.start.resetCount + 1) & 0x07 }
    board.start.time = board.now
    resetsAfterLink = false
    rack.reset(on: &board)
  }

  /// The processor is up again: macros first, then what they may have hung on the supply, then the air (protocol
  /// reference 38, item 11).
  private mutating func boot() {
    state = .application
    rack.boot(on: &board)
    runPending()
    guard case .application = state else { return }
    notifySupply(onlyIfPresent: true)
    runPending()
    guard case .application = state else { return }
    startAdvertising()
  }

  private mutating func notifySupply(onlyIfPresent: Bool) {
    let states = [
      (SettingsModule.Register.powerStatus, board.battery.hasExternalPower),
      (SettingsModule.Register.chargeStatus, board.battery.isCharging(at: board.now)),
    ]
    for (register, isOn) in states where isOn || !onlyIfPresent {
      board.fire(SettingsModule.id, register, [isOn ? 1 : 0])
    }
  }

  private var settings: SettingsModule { rack.module(SettingsModule.self) ?? SettingsModule(board) }

  private static func earlier(_ one: Duration?, _ other: Duration?) -> Duration? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}
