import FleetModel

/// A board's bootloader: what a host writes goes in, notifications and what happens to the link come out. A pure value
/// as the firmware is, and as independent of the host: one bank of flash, or two, and Nordic's legacy protocol.
///
///     off ── jump, reset ──▶ starting ──▶ running ── image activated, or reset with an application ──▶ off
///                               ▲            │ reset without one
///                               └────────────┘
package struct Bootloader: Sendable {
  /// How the application starts.
  package struct Start: Equatable, Sendable {
    /// It was replaced.
    package var isNew = false
    /// Nil: that which it has.
    package var revision: FirmwareRevision?
    package var isRestless = false
  }

  /// What the bootloader does to the world outside, in order.
  package enum Effect: Equatable, Sendable {
    /// On the control point.
    case notify([UInt8])
    case dropLink
    case advertisementChanged
    /// It starts the application, at that time.
    case application(Start, at: Duration)
  }

  private enum State: Equatable, Sendable {
    case off
    case starting(until: Duration, returns: Bool)
    /// `isJammed`: nothing is answered any more.
    case running(isJammed: Bool)
    /// Off the air, until it is reset.
    case lost
  }

  /// After new firmware for itself.
  private static let renewal = Duration.milliseconds(1500)
  private static let lastAdvertising = Duration.seconds(1)

  package let traits: BootloaderTraits
  package private(set) var revision: FirmwareRevision
  /// Whether there is one to start.
  package private(set) var hasApplication = true
  var defects = BootloaderDefects()

  private let model: BoardModel
  private let own: BluetoothAddress
  private var now = Duration.zero
  private var state = State.off
  private var link: BootloaderLink?
  private var transfer: ImageTransfer
  private var erasedAt: Duration?
  private var expires: Duration?
  /// When it falls silent for good.
  private var silentAt: Duration?
  private var effects: [Effect] = []

  init(_ traits: BootloaderTraits, on model: BoardModel, of identity: BoardIdentity) {
    self.traits = traits
    self.model = model
    own = identity.address
    revision = traits.revision(on: model)
    transfer = ImageTransfer(Self.rules(traits, model, traits.revision(on: model)))
  }

  /// Where it is on the air.
  var address: BluetoothAddress {
    guard traits.place == .nextAddress else { return own }
    return BluetoothAddress(rawValue: own.rawValue & ~0xFF | (own.rawValue + 1) & 0xFF)
  }

  /// Nil while it is not on the air, or connected.
  var advertisement: Advertisement? {
    guard state == .running(isJammed: false), link == nil, silentAt.map({ now < $0 }) ?? true else {
      return nil
    }
    return Advertisement(
      localName: "MetaBoot", service: MetaMotionAttributes.bootloader, manufacturerData: [:])
  }

  var isSubscribed: Bool { link?.isSubscribed ?? false }

  /// When `advance(to:)` next has something to do.
  var nextEvent: Duration? {
    switch state {
    case .off, .lost, .running(isJammed: true): nil
    case .starting(let until, _): until
    case .running: [erasedAt, link?.next, expires, silentAt].compactMap { $0 }.min()
    }
  }

  /// The application jumped here; `forGood`: it will never start again.
  mutating func start(forGood: Bool, at now: Duration) {
    self.now = max(self.now, now)
    if forGood { hasApplication = false }
    if defects.takeJump(.lost) {
      state = .lost
    } else {
      begin(after: traits.starting + defects.lateness, returns: hasApplication && defects.takeJump(.returned))
    }
  }

  /// Whether the jump that is asked for is not made.
  mutating func ignoresJump() -> Bool { defects.takeJump(.ignored) }

  /// Lets time pass.
  mutating func advance(to now: Duration) -> [Effect] {
    catchUp(to: now)
    defer { effects = [] }
    return effects
  }

  mutating func connected(at now: Duration) -> [Effect] {
    catchUp(to: now)
    guard advertisement != nil else {
      effects.append(.dropLink)
      return advance(to: now)
    }
    link = BootloaderLink(traits.link, at: self.now)
    effects.append(.advertisementChanged)
    stir()
    return advance(to: now)
  }

  /// The link is gone; what came over it stays.
  mutating func disconnected(at now: Duration) -> [Effect] {
    catchUp(to: now)
    linkGone()
    return advance(to: now)
  }

  /// The host switched the control point's notifications.
  mutating func subscribe(_ isOn: Bool) { link?.isSubscribed = isOn }

  /// The host wrote; the packet is on its way from now on.
  mutating func write(_ packet: BootloaderLink.Packet, at now: Duration) -> [Effect] {
    catchUp(to: now)
    link?.incoming.put(packet, at: self.now)
    return advance(to: now)
  }

  /// Somebody takes the battery out and puts it in again.
  mutating func cyclePower(at now: Duration) -> [Effect] {
    catchUp(to: now)
    reset()
    return advance(to: now)
  }
}

extension Bootloader {
  private static func rules(
    _ traits: BootloaderTraits, _ model: BoardModel, _ revision: FirmwareRevision
  ) -> ImageTransfer.Rules {
    .init(
      traits: traits, device: BootloaderTraits.device(of: model), room: traits.room(on: model),
      revision: revision)
  }

  private mutating func catchUp(to now: Duration) {
    while let next = nextEvent, next <= now { reach(max(next, self.now)) }
    self.now = max(self.now, now)
  }

  private mutating func begin(after pause: Duration, returns: Bool = false) {
    state = .starting(until: now + pause, returns: returns)
    transfer = ImageTransfer(Self.rules(traits, model, revision))
    (erasedAt, expires, silentAt) = (nil, nil, nil)
  }

  /// One thing that is due.
  private mutating func reach(_ time: Duration) {
    now = time
    if case .starting(_, let returns) = state {
      guard !returns else { return leave(Start()) }
      state = .running(isJammed: false)
      stir()
      effects.append(.advertisementChanged)
    } else if let erasedAt, erasedAt <= now {
      self.erasedAt = nil
      carryOut(transfer.flashErased())
    } else if let packet = link?.incoming.popDue(at: now) {
      receive(packet)
    } else if let notice = link?.outgoing.popDue(at: now) {
      effects.append(.notify(notice))
    } else if let silentAt, silentAt <= now {
      self.silentAt = nil
      state = .lost
      effects.append(.advertisementChanged)
    } else if let expires, expires <= now {
      reset()
    }
  }

  /// A host is there.
  private mutating func stir() { expires = now + traits.inactivity }

  private mutating func linkGone() {
    guard link != nil else { return }
    link = nil
    if transfer.isUnfinished, defects.takeJam(.silent) { silentAt = now + Self.lastAdvertising }
    effects.append(.advertisementChanged)
  }

  private mutating func dropLink() {
    guard link != nil else { return }
    effects.append(.dropLink)
    linkGone()
  }

  /// As `FE 02` leaves it, if there is no application to start.
  private mutating func reset() {
    dropLink()
    if hasApplication { leave(Start()) } else { begin(after: traits.starting) }
  }

  private mutating func leave(_ start: Start) {
    (state, link, erasedAt, expires, silentAt) = (.off, nil, nil, nil, nil)
    transfer = ImageTransfer(Self.rules(traits, model, revision))
    effects.append(.application(start, at: now))
  }
}

// What a host writes, and what it gets.
extension Bootloader {
  private mutating func receive(_ packet: BootloaderLink.Packet) {
    stir()
    switch packet {
    case .control(let bytes):
      carryOut(transfer.control(bytes))
      let request = bytes.first.flatMap(BootloaderRequest.init)
      if let request, link != nil, defects.losesLink(after: request) { dropLink() }
    case .data(let bytes) where transfer.expectsImage: receiveImage(bytes)
    case .data(let bytes): carryOut(transfer.packet(bytes))
    }
  }

  private mutating func receiveImage(_ bytes: [UInt8]) {
    // At nothing before the first packet, at everything behind the last.
    if breaksOff(at: transfer.percent) { return }
    guard link?.takesImage(at: now, limit: defects.buffer) ?? false else { return answer(.image, .failed) }
    var bytes = bytes
    if !bytes.isEmpty, defects.flips() { bytes[bytes.count / 2] ^= 0x10 }
    carryOut(transfer.packet(bytes))
    _ = breaksOff(at: transfer.percent)
  }

  private mutating func breaksOff(at percent: Int) -> Bool {
    if defects.losesPower(at: percent) {
      dropLink()
      state = .lost
      return true
    }
    guard defects.losesLink(at: percent) else { return false }
    dropLink()
    return true
  }

  private mutating func carryOut(_ steps: [ImageTransfer.Step]) {
    for step in steps {
      switch step {
      case .answer(let request, .success): succeed(request)
      case .answer(let request, let refusal): answer(request, refusal)
      case .refuse(let opcode): send(BootloaderNotice.answer(to: opcode, .notSupported))
      case .tellSize(let bytes):
        if let instead = defects.takeAnswer(to: .size) {
          instead.status.map { answer(.size, $0) }
        } else {
          send(
            BootloaderNotice.answer(to: BootloaderRequest.size.rawValue, .success, bytes.littleEndianBytes))
        }
      case .receipt(let bytes): sendReceipt(of: bytes)
      case .erase(let bytes): erase(bytes)
      case .activate(let image): activate(image)
      case .reset: reset()
      }
    }
  }

  /// What was asked for is done, unless it is to go wrong.
  private mutating func succeed(_ request: BootloaderRequest) {
    if let instead = defects.takeAnswer(to: request) {
      transfer.withdraw(request)
      instead.status.map { answer(request, $0) }
    } else if request == .image, defects.takeReceipt(.last) {
      send(BootloaderNotice.receipt(of: transfer.total))
    } else {
      answer(request, .success)
    }
  }

  private mutating func erase(_ bytes: Int) {
    if let instead = defects.takeAnswer(to: .start) {
      transfer.withdraw(.start)
      instead.status.map { answer(.start, $0) }
      return
    }
    if traits.hasOneBank { hasApplication = false }
    if defects.takeJam(.wedged) { state = .running(isJammed: true) }
    erasedAt = now + (defects.erasing ?? traits.erasing(bytes))
  }

  private mutating func answer(_ request: BootloaderRequest, _ status: BootloaderStatus) {
    send(BootloaderNotice.answer(to: request.rawValue, status))
  }

  private mutating func sendReceipt(of bytes: UInt32) {
    let isWrong = defects.takeReceipt(.wrong)
    let receipt = BootloaderNotice.receipt(of: isWrong ? bytes &- 20 : bytes)
    if defects.takeReceipt(.lost) { return }
    send(receipt, late: defects.takeReceipt(.late) ? BootloaderDefects.receiptDelay : .zero)
    if defects.takeReceipt(.doubled) { send(receipt) }
  }

  private mutating func send(_ notice: [UInt8], late: Duration = .zero) {
    link?.outgoing.put(notice, at: now, late: late)
  }

  private mutating func activate(_ image: ImageTransfer.Image) {
    dropLink()
    let defect = defects.takeActivation()
    switch defect {
    case .lost: return begin(after: traits.starting)
    case .dead:
      state = .lost
      return
    case .old, .other, .restless, nil: break
    }
    switch image.kind {
    case .application:
      hasApplication = true
      switch defect {
      case .old: leave(Start())
      case .other: leave(Start(isNew: true, revision: image.revision?.successor))
      default: leave(Start(isNew: true, revision: image.revision, isRestless: defect == .restless))
      }
    case .bootloader, .softDeviceAndBootloader:
      revision = image.revision ?? revision
      begin(after: Self.renewal)
    case .softDevice: begin(after: Self.renewal)
    }
  }
}
