import BoardKit
import DBus
import EventLoops
import FleetModel
import Glibc

/// One connection to one board: packets in, writes out. It lives on the radio's loop and ends once, whichever sign
/// of the end comes first: the property, the hang-up of a socket, the object, the service, or our own disconnect.
actor BlueZLink: BoardLink {
  nonisolated let board: BoardID
  nonisolated let adapter: AdapterID
  nonisolated let key: DeviceKey
  nonisolated var unownedExecutor: UnownedSerialExecutor { radio.unownedExecutor }

  private nonisolated let radio: BlueZRadio
  private let service: BlueZService
  private let policy: BlueZPolicy
  private let devicePath: String
  private let paths: AttributePaths
  /// Whether the device was up before anybody asked us for a link.
  private let wasFoundUp: Bool
  private var isConnectedElsewhere = false
  private var sources: [Characteristic: NotificationSource] = [:]
  private var received: (@Sendable (Characteristic, RawSpan, Timestamp) -> Void)?
  private var onEnd: (@Sendable (LinkFailure) -> Void)?
  private var callsUnderWay: Set<DBusCallID> = []
  private(set) var end: LinkFailure?

  init(
    _ key: DeviceKey, device: String, characteristics: [Characteristic: String], service: BlueZService,
    policy: BlueZPolicy, wasFoundUp: Bool, radio: BlueZRadio
  ) {
    self.key = key
    board = key.board
    adapter = key.adapter
    devicePath = device
    paths = AttributePaths(characteristics)
    self.service = service
    self.policy = policy
    self.wasFoundUp = wasFoundUp
    self.radio = radio
  }

  func open(
    received: @escaping @Sendable (Characteristic, RawSpan, Timestamp) -> Void,
    ended: @escaping @Sendable (LinkFailure) -> Void
  ) {
    if let end { return ended(end) }
    self.received = received
    onEnd = ended
  }

  func read(_ characteristic: Characteristic) async throws(LinkFailure) -> [UInt8] {
    let path = try path(of: characteristic)
    sources[characteristic]?.beganRead()
    let values = try await call(
      service.method(path, BlueZNames.gattCharacteristic, "ReadValue", .properties([:]))
    ) {
      link, outcome in
      let answer = try? outcome.get().first?.byteArray
      for value in link.sources[characteristic]?.endedRead(answer) ?? [] {
        link.deliver(value, from: characteristic)
      }
    }
    guard let value = values.first?.byteArray else {
      throw LinkFailure(.other, "BlueZ answered a read with no value")
    }
    return value
  }

  /// Never over an acquired socket: that would lose long values silently and lock other writers out.
  func write(_ value: [UInt8], to characteristic: Characteristic, as kind: WriteKind)
    async throws(LinkFailure)
  {
    radio.loop.expectAnswers(for: BlueZRadio.answerSpan)
    let options = DBusValue.properties(["type": .string(kind == .command ? "command" : "request")])
    _ = try await call(
      service.method(
        try path(of: characteristic), BlueZNames.gattCharacteristic, "WriteValue", .bytes(value), options))
  }

  func disconnect() async {
    finish(LinkFailure(.closed, "the gateway closed the connection"))
    // Whoever opened the link and uses it keeps it (fault F08).
    guard !(wasFoundUp && isConnectedElsewhere) else { return }
    await radio.leave(self, service)
  }
}

// The end.
extension BlueZLink {
  /// The link is down, or as good as down. What arrived before is delivered first; repeating it does nothing.
  func finish(_ failure: LinkFailure) {
    guard end == nil else { return }
    if failure.reason != .closed {
      for (characteristic, source) in sources { drain(source, characteristic) }
    }
    end = failure
    for source in sources.values { source.close() }
    sources = [:]
    received = nil
    let calls = callsUnderWay
    service.bus.assumeIsolated { bus in for id in calls { bus.abandon(id) } }
    radio.assumeIsolated { $0.linkEnded(self) }
    onEnd?(failure)
    onEnd = nil
  }

  /// A socket hung up before anything was said about the link. Ask before declaring a reason: it may be that
  /// bluetoothd died, or that another client stopped the notifications.
  private func hungUp(_ characteristic: Characteristic) {
    sources.removeValue(forKey: characteristic)?.close()
    let (id, method) = (service.bus.newCallID(), service.properties(of: devicePath, BlueZNames.device))
    service.bus.assumeIsolated { bus in
      _ = bus.send(method, id: id, deadline: policy.call) { [weak self] outcome in
        self?.assumeIsolated { $0.finish(Self.reason(forHangUp: outcome)) }
      }
    }
    callsUnderWay.insert(id)
  }

  private static func reason(forHangUp device: DBusConnection.Outcome) -> LinkFailure {
    switch device {
    case .failure(let failure): BlueZFailures.meaning(of: failure, while: .using)
    case .success(let values) where values.first?.namedValues?["Connected"]?.flag == true:
      LinkFailure(.busyElsewhere, "another client stopped the notifications")
    case .success: LinkFailure(.linkLost, "the connection was lost")
    }
  }
}

// Packets.
extension BlueZLink {
  func subscribe(to characteristic: Characteristic) async throws(LinkFailure) {
    let path = try path(of: characteristic)
    guard sources[characteristic] == nil else { return }
    let source = NotificationSource(on: radio.loop)
    sources[characteristic] = source
    do throws(LinkFailure) {
      try await connect(source, to: characteristic, path)
      if let end { throw end }
    } catch {
      sources[characteristic] = nil
      source.close()
      throw error
    }
  }

  /// BlueZ would subscribe what lies at the same handle of the bootloader as soon as it is connected.
  func unsubscribe(from characteristic: Characteristic) async {
    guard let path = paths[characteristic], let source = sources.removeValue(forKey: characteristic) else {
      return
    }
    drain(source, characteristic)
    source.close()
    // A socket that is closed ends its session by itself; the call comes behind it.
    _ = try? await ask(service.method(path, BlueZNames.gattCharacteristic, "StopNotify"))
  }

  /// A socket if it can be had, signals otherwise (fault F08). A StartNotify in the way is usually a left-over of
  /// ours, so it is stopped once.
  private func connect(
    _ source: NotificationSource, to characteristic: Characteristic, _ path: String
  ) async throws(LinkFailure) {
    var hasStopped = false
    while true {
      let refusal: DBusFailure
      do throws(DBusFailure) {
        return try await acquire(source, characteristic, path)
      } catch {
        refusal = error
      }
      if refusal.isNotifyInProgress, !hasStopped {
        hasStopped = true
        // "No notify session started" if it is not ours.
        _ = try? await ask(service.method(path, BlueZNames.gattCharacteristic, "StopNotify"))
      } else if refusal.isNotifyInProgress || refusal.isNotSupported {
        source.useSignals()
        _ = try await call(service.method(path, BlueZNames.gattCharacteristic, "StartNotify"))
        return
      } else {
        let failure = BlueZFailures.meaning(of: refusal, while: .using)
        isConnectedElsewhere = failure.reason == .busyElsewhere
        throw end ?? failure
      }
    }
  }

  private func acquire(
    _ source: NotificationSource, _ characteristic: Characteristic, _ path: String
  ) async throws(DBusFailure) {
    let answer = try await ask(
      service.method(path, BlueZNames.gattCharacteristic, "AcquireNotify", .properties([:])))
    guard end == nil, let descriptor = answer.first?.descriptor?.take() else {
      throw .malformed("BlueZ returned no socket for AcquireNotify")
    }
    // Gone with the watch, at the end of the link. The source lives on this loop as the link does, and is read without
    // entering the actor: that costs as much as the packet, and is checked in debug builds.
    nonisolated(unsafe) let source = source
    let received = received
    let reader: @Sendable (Readiness) -> DrainResult = { readiness in
      self.assertIsolated()
      let hasHungUp = !readiness.isDisjoint(with: [.hungUp, .failed])
      let result = source.drain(turns: hasHungUp ? Self.socketful : 1, hasHungUp: hasHungUp) {
        packet, arrival in
        received?(characteristic, packet, arrival)
      }
      if result == .ended { self.assumeIsolated { $0.hungUp(characteristic) } }
      return result
    }
    do {
      source.use(descriptor, try radio.loop.watch(reading: descriptor, reader))
    } catch {
      close(descriptor)
      throw .malformed("the notification socket cannot be polled: \(error)")
    }
  }

  /// Turns that empty any socket.
  private static let socketful = 64

  /// Delivers what arrived before the end.
  private func drain(_ source: NotificationSource, _ characteristic: Characteristic) {
    _ = source.drain(turns: Self.socketful, hasHungUp: false) { received?(characteristic, $0, $1) }
  }

  /// From the radio: BlueZ signalled a value.
  func signalled(_ value: [UInt8], at path: String) {
    guard let characteristic = paths.characteristic(at: path), let source = sources[characteristic] else {
      return
    }
    for value in source.signalled(value) { deliver(value, from: characteristic) }
  }

  private func deliver(_ value: [UInt8], from characteristic: Characteristic) {
    received?(characteristic, value.span.bytes, radio.now)
  }
}

// Calls.
extension BlueZLink {
  private func path(of characteristic: Characteristic) throws(LinkFailure) -> String {
    if let end { throw end }
    guard let path = paths[characteristic] else {
      throw LinkFailure(.servicesMissing, "the board has no characteristic \(characteristic.uuid)")
    }
    return path
  }

  private func call(
    _ method: DBusMethodCall,
    atArrival: (@Sendable (isolated BlueZLink, DBusConnection.Outcome) -> Void)? = nil
  ) async throws(LinkFailure) -> [DBusValue] {
    do throws(DBusFailure) {
      return try await ask(method, atArrival: atArrival)
    } catch {
      throw end ?? BlueZFailures.meaning(of: error, while: .using)
    }
  }

  /// A call that ends with the link. `atArrival` is for what must be in order with signals.
  private func ask(
    _ method: DBusMethodCall,
    atArrival: (@Sendable (isolated BlueZLink, DBusConnection.Outcome) -> Void)? = nil
  ) async throws(DBusFailure) -> [DBusValue] {
    let id = service.bus.newCallID()
    callsUnderWay.insert(id)
    defer { callsUnderWay.remove(id) }
    return try await service.bus.call(method, id: id, deadline: policy.attribute) { [weak self] outcome in
      self?.assumeIsolated { atArrival?($0, outcome) }
    }
  }
}
