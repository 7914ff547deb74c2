import FleetModel

/// The writes that bring a board from what it is known to run to what it shall run. Equal setups give no writes.
///
/// Between the two halves the caller lets the board answer something: then every packet of the old setup has arrived,
/// and none of it is read with the scale of the new one.
struct StreamPlan: Hashable, Sendable {
  /// What ends, in reverse of the order in which it was started (protocol reference, section 7).
  private(set) var stop: [[UInt8]] = []
  /// What begins: configuration, subscription, sampling, power.
  private(set) var start: [[UInt8]] = []
  /// Whether the accelerometer is switched off by `stop`, and on by `start`.
  private(set) var stopsSampling = false
  private(set) var startsSampling = false

  var isEmpty: Bool { stop.isEmpty && start.isEmpty }

  /// Compares. Without `known`, the board may still run whatever an earlier session began, because subscriptions
  /// outlive the link (section 2.3): everything this driver knows is switched off first.
  init(from known: BoardSetup?, to wanted: BoardSetup, on inventory: Inventory) {
    if let accelerometer = inventory.accelerometer, known == nil || known?.acceleration != wanted.acceleration
    {
      plan(from: known, to: wanted.acceleration, on: accelerometer)
    }
    let subscribed = known?.subscriptions ?? Self.subscribable(on: inventory)
    let ended = subscribed.subtracting(wanted.subscriptions)
    let begun = known == nil ? wanted.subscriptions : wanted.subscriptions.subtracting(subscribed)
    stop += Self.inOrder(ended).map(\.unsubscribe)
    start += Self.inOrder(begun).map(\.subscribe)
  }

  private mutating func plan(
    from known: BoardSetup?, to wanted: BoardSetup.Acceleration?, on accelerometer: Accelerometer
  ) {
    let running: [Register]
    if let known {
      running = known.acceleration.map { [$0.register(on: accelerometer)] } ?? []
    } else {
      running = [Accelerometer.data] + [accelerometer.packedData].compactMap { $0 }
    }
    if !running.isEmpty {
      stop += [Accelerometer.powerOff, Accelerometer.stopSampling] + running.map(\.unsubscribe)
      stopsSampling = true
    }
    if let wanted {
      start += [
        accelerometer.configure(wanted.configuration),
        wanted.register(on: accelerometer).subscribe,
        Accelerometer.startSampling,
        Accelerometer.powerOn,
      ]
      startsSampling = true
    }
  }

  /// The registers beside the accelerometer's that this driver ever subscribes to on such a board.
  private static func subscribable(on inventory: Inventory) -> Set<Register> {
    var registers: Set<Register> = []
    if inventory.has(.switch) { registers.insert(Switch.state) }
    if PowerSupply.hasPowerStatus(inventory.modules[.settings]) { registers.insert(PowerSupply.powerStatus) }
    if PowerSupply.hasChargeStatus(inventory.modules[.settings]) {
      registers.insert(PowerSupply.chargeStatus)
    }
    return registers
  }

  private static func inOrder(_ registers: Set<Register>) -> [Register] {
    registers.sorted { $0.notificationHeader < $1.notificationHeader }
  }
}
