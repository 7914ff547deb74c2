import BoardKit
import FleetModel
import Simulator
import VirtualTime

/// A link to simulated firmware whose answers are changed on their way as the input says.
actor LyingLink: BoardLink {
  nonisolated let board: BoardID
  nonisolated let adapter = AdapterID(BluetoothAddress(rawValue: 1))
  private nonisolated let world: SeededWorld
  nonisolated var unownedExecutor: UnownedSerialExecutor { world.asUnownedSerialExecutor() }
  private var firmware: MetaMotionBoard
  private var input: FuzzInput
  /// Packets that still arrive as they are: whoever lies from the first word on gets no second question.
  private var honest: Int
  private var received: (@Sendable (Characteristic, RawSpan, Timestamp) -> Void)?
  private var ended: (@Sendable (LinkFailure) -> Void)?

  init(model: BoardModel, world: SeededWorld, input: FuzzInput) {
    let identity = BoardIdentity(number: 1)
    board = BoardID(identity.address)
    self.world = world
    self.input = input
    honest = self.input.number(below: 128)
    firmware = MetaMotionBoard(Firmware(model: model, identity: identity, seed: 1))
    _ = firmware.connected(at: .zero)
  }

  func open(
    received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
    ended: @escaping @Sendable (LinkFailure) -> Void
  ) {
    self.received = received
    self.ended = ended
  }

  func subscribe(to characteristic: Characteristic) {}

  func read(_ characteristic: Characteristic) throws(LinkFailure) -> [UInt8] {
    do throws(AttributeError) {
      let value = try firmware.read(characteristic, at: world.uptime)
      return changed(value).first ?? value
    } catch { throw LinkFailure(.other, "\(error)") }
  }

  func write(_ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind) throws(LinkFailure) {
    do throws(AttributeError) {
      deliver(firmware.advance(to: world.uptime))
      deliver(try firmware.write(value, to: characteristic, as: kind, at: world.uptime))
    } catch { throw LinkFailure(.other, "\(error)") }
  }

  /// Also lets go of whoever listens, or both would stay for ever.
  func disconnect() { (received, ended) = (nil, nil) }

  /// Lets the board do the next `count` things that it does by itself within a second.
  func live(_ count: Int) async {
    for _ in 0..<count {
      guard let next = firmware.nextEvent, next - world.uptime < .seconds(1) else { return }
      if next > world.uptime { try? await world.sleep(for: next - world.uptime) }
      deliver(firmware.advance(to: world.uptime))
    }
  }

  /// Lets the board do what it does by itself until cancelled.
  func liveOn() async {
    while !Task.isCancelled {
      await live(30)
      do { try await world.sleep(for: .milliseconds(50)) } catch { return }
    }
  }

  private func deliver(_ effects: [BoardEffect]) {
    for effect in effects {
      switch effect {
      case .notify(let characteristic, let packet):
        for packet in changed(packet) { received?(characteristic, packet.span.bytes, world.now) }
      case .dropLink: ended?(LinkFailure(.linkLost, "the board left"))
      case .advertisementChanged, .noted, .moved: break
      }
    }
  }

  /// What arrives instead of a packet; the packet itself more often than not.
  private func changed(_ packet: [UInt8]) -> [[UInt8]] {
    guard honest == 0, !input.isEmpty else {
      honest = max(0, honest - 1)
      return [packet]
    }
    var changed = packet
    switch input.number(below: 32) {
    case 1: changed = Array(packet.prefix(input.number(below: packet.count + 1)))
    case 2: if !packet.isEmpty { changed[input.number(below: packet.count)] ^= input.byte() }
    case 3: changed = packet.prefix(2) + input.some(packet.count)
    case 4: changed += input.some(input.number(below: 8))
    case 5: return []
    case 6: return [packet, packet]
    case 7: return [input.some(input.number(below: 22)), packet]
    default: break
    }
    return [changed]
  }
}
