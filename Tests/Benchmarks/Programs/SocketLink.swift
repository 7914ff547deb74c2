import BlueZ
import BoardKit
import EventLoops
import FleetModel
import Simulator

/// A link whose board is simulated until its sensor runs; from then on its packets are what `sender` puts into a
/// socket, read as notifications are read from BlueZ.
actor SocketLink: BoardLink {
  nonisolated let board: BoardID
  nonisolated let adapter: AdapterID
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private nonisolated let loop: EventLoop
  private nonisolated let timekeeper: any Timekeeper
  private let descriptor: Int32
  private var firmware: MetaMotionBoard
  private var received: (@Sendable (Characteristic, RawSpan, Timestamp) -> Void)?
  private let source: NotificationSource
  private static let accelerometerStart: [UInt8] = [0x03, 0x01, 0x01]
  private let started: @Sendable () -> Void
  private let closed: @Sendable () -> Void

  /// Board `number` from 0. `started` is called when its accelerometer is, `closed` at the end of its socket.
  init(
    number: Int, loop: EventLoop, timekeeper: any Timekeeper, started: @escaping @Sendable () -> Void = {},
    closed: @escaping @Sendable () -> Void = {}
  ) {
    let identity = BoardIdentity(number: UInt16(number + 1))
    board = BoardID(identity.address)
    adapter = Demand.adapter
    self.loop = loop
    source = NotificationSource(on: loop)
    self.timekeeper = timekeeper
    descriptor = Sockets.descriptor(of: number)
    self.started = started
    self.closed = closed
    firmware = MetaMotionBoard(Firmware(model: .rl, identity: identity, seed: UInt64(number)))
    _ = firmware.connected(at: .zero)
  }

  func open(
    received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
    ended: @escaping @Sendable (LinkFailure) -> Void
  ) {
    self.received = received
  }

  func subscribe(to characteristic: Characteristic) throws(LinkFailure) {
    guard characteristic == MetaMotionAttributes.notification else { return }
    // As BlueZ's links do it.
    nonisolated(unsafe) let source = source
    let received = received
    do {
      source.use(
        descriptor,
        try loop.watch(reading: descriptor) { readiness in
          let hasHungUp = readiness.contains(.hungUp)
          let result = source.drain(turns: hasHungUp ? 64 : 1, hasHungUp: hasHungUp) { packet, arrival in
            received?(MetaMotionAttributes.notification, packet, arrival)
          }
          if result == .ended { self.assumeIsolated { $0.close() } }
          return result
        })
    } catch { throw LinkFailure(.other, "\(error)") }
  }

  private func close() {
    source.close()
    received = nil
    closed()
  }

  func write(_ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind) throws(LinkFailure) {
    let effects: [BoardEffect]
    do throws(AttributeError) {
      effects = try firmware.write(value, to: characteristic, as: kind, at: .zero)
    } catch { throw LinkFailure(.other, "\(error)") }
    for case .notify(let characteristic, let packet) in effects {
      received?(characteristic, packet.span.bytes, timekeeper.now)
    }
    if value == Self.accelerometerStart { started() }
  }

  func read(_ characteristic: Characteristic) throws(LinkFailure) -> [UInt8] {
    do { return try firmware.read(characteristic, at: .zero) } catch {
      throw LinkFailure(.other, "\(error)")
    }
  }

  func disconnect() {
    source.close()
    received = nil
  }
}
