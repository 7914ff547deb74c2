/// The defects that a board has at the moment: they stand between its firmware and the link. A pure value.
struct BoardDefects: Sendable {
  private static let logging = RegisterPlace(module: 0x0B, register: 0x07)
  /// Accelerometer, gyroscope, magnetometer and fusion, whose samples are vectors.
  private static let vectors: Set<UInt8> = [0x03, 0x13, 0x15, 0x19]
  private static let vectorLength = 8
  /// The third byte of an entry's tick.
  private static let tickByte = 5
  /// Registers that no module has; each in the form of a notification.
  private static let unknown: [[UInt8]] = [
    [0x03, 0x3E, 0x01, 0x02, 0x03], [0x13, 0x3D, 0x07], [0x2A, 0x01, 0x00, 0x01], [0x11, 0x3C, 0x05, 0x06],
    [0x6F, 0x02, 0x0A, 0x0B, 0x0C, 0x0D],
  ]

  private var lostWrites: [RegisterPlace: Int] = [:]
  private var unreadable: [RegisterPlace: Int] = [:]
  private var truncated: [RegisterPlace: Int] = [:]
  private var impossible: [ImpossibleValue: Int] = [:]
  /// What happens to packets and entries, and how often still.
  private var packets: [LastingFault.Kind: Int] = [:]
  /// Packets of samples that were looked at.
  private var samplesSeen = 0
  private var unknownPerSecond = 0
  private var unknownSent = 0
  /// When the next notification that nobody knows is due.
  private(set) var nextUnknown: Duration?

  /// False for a board that is as it should be, which is asked of every packet.
  var isAny: Bool {
    !(lostWrites.isEmpty && unreadable.isEmpty && truncated.isEmpty && impossible.isEmpty && packets.isEmpty)
      || unknownPerSecond > 0
  }

  /// The same of one register again takes the place of what is left of it.
  mutating func add(_ defect: BoardDefect, at now: Duration) {
    switch defect {
    case .lostWrites(let place, let count): lostWrites[place] = count
    case .unreadable(let place, let count): unreadable[place] = count
    case .truncated(let place, let count): truncated[place] = count
    case .lostEntries(let count), .doubledEntries(let count), .damagedTicks(let count),
      .lostSamples(let count),
      .doubledSamples(let count):
      packets[defect.kind] = count
    case .impossible(let value, let count): impossible[value] = count
    case .unknownNotifications(let rate):
      unknownPerSecond = rate
      restartUnknown(at: now)
    // The bootloader's own.
    case .bootloader: break
    }
  }

  /// Nil heals all.
  mutating func heal(_ kind: LastingFault.Kind?) {
    func isMeant(_ one: LastingFault.Kind) -> Bool { kind == nil || kind == one }
    if isMeant(.loseWrite) { lostWrites = [:] }
    if isMeant(.unreadable) { unreadable = [:] }
    if isMeant(.truncate) { truncated = [:] }
    packets = packets.filter { !isMeant($0.key) }
    if isMeant(.impossibleValues) { impossible = [:] }
    if isMeant(.unknownNotifications) { (unknownPerSecond, nextUnknown) = (0, nil) }
  }

  /// Whether what the host wrote never reaches the register, or what it asks is not answered.
  mutating func swallows(_ packet: Packet) -> Bool {
    let place = RegisterPlace(module: packet.module, register: packet.register)
    switch packet.verb {
    case .write: return Self.use(&lostWrites, place)
    case .read: return Self.use(&unreadable, place)
    // Nobody hears its answer; loggers on the board do.
    case .silentRead: return false
    }
  }

  /// The packets that leave the board instead of one.
  mutating func outgoing(_ packet: [UInt8]) -> [[UInt8]] {
    guard packet.count >= 2 else { return [packet] }
    let place = RegisterPlace(module: packet[0], register: packet[1] & 0x3F)
    let isAnswer = packet[1] & 0x80 != 0
    if !isAnswer, place == Self.logging { return readOut(packet) }
    if !isAnswer, Self.vectors.contains(place.module), packet.count >= Self.vectorLength {
      return sampled(packet)
    }
    if isAnswer, Self.use(&truncated, place) {
      // One byte may be the whole answer, and is then too much.
      return [Array(packet.prefix(packet.count > 3 ? 3 : 2))]
    }
    return [spoiled(packet)]
  }

  private mutating func spoiled(_ packet: [UInt8]) -> [UInt8] {
    for value in impossible.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let spoiled = value.spoiled(packet) else { continue }
      _ = Self.use(&impossible, value)
      return spoiled
    }
    return packet
  }

  /// A packet of a read-out: one or two entries of nine bytes, each with its time from the second byte on (protocol
  /// reference, section 16.4).
  private mutating func readOut(_ packet: [UInt8]) -> [[UInt8]] {
    if Self.use(&packets, .loseEntries) { return [] }
    var packet = packet
    let left = packets[.damageTicks, default: 0]
    if packet.count > Self.tickByte, Self.use(&packets, .damageTicks) {
      // At least a minute and a half.
      packet[Self.tickByte] ^= UInt8(truncatingIfNeeded: left &* 37) | 1
    }
    return Self.use(&packets, .doubleEntries) ? [packet, packet] : [packet]
  }

  private mutating func sampled(_ packet: [UInt8]) -> [[UInt8]] {
    samplesSeen += 1
    // One by one, with others between them.
    if samplesSeen % 4 == 0, Self.use(&packets, .loseSamples) { return [] }
    let packet = spoiled(packet)
    return samplesSeen % 4 == 2 && Self.use(&packets, .doubleSamples) ? [packet, packet] : [packet]
  }

  /// What the battery service shows.
  mutating func charge(_ percent: UInt8) -> UInt8 {
    Self.use(&impossible, .battery) ? ImpossibleValue.overfull : percent
  }

  /// A link begins: what was due before has gone to nobody.
  mutating func restartUnknown(at now: Duration) {
    nextUnknown = unknownPerSecond > 0 ? now + pause : nil
  }

  /// Notifications that nobody knows and that are due.
  mutating func takeUnknown(at now: Duration) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    while let due = nextUnknown, due <= now {
      packets.append(Self.unknown[unknownSent % Self.unknown.count])
      unknownSent += 1
      nextUnknown = due + pause
    }
    return packets
  }

  private var pause: Duration { .seconds(1) / max(1, unknownPerSecond) }

  private static func use<Key>(_ counts: inout [Key: Int], _ key: Key) -> Bool {
    guard let left = counts[key] else { return false }
    counts[key] = left > 1 ? left - 1 : nil
    return true
  }
}
