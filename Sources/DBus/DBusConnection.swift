package import EventLoops
import Synchronization

/// One connection to a message bus: calls with a deadline, signals, incoming calls. It lives on a loop and nothing
/// it does there waits; actors and callbacks on the same loop enter it with `assumeIsolated`.
///
/// It ends once, by `close` or because the bus went. Then everyone who waits is notified, and a new one is opened.
/// Close it before its loop stops.
package actor DBusConnection {
  package typealias Outcome = Result<[DBusValue], DBusFailure>

  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// The name the bus gave us, such as ":1.5".
  package private(set) var uniqueName = ""

  private var raw: RawConnection?
  private var ending: DBusFailure?
  private var onEnd: (@Sendable (DBusFailure) -> Void)?
  private nonisolated let lastNumber = Atomic<UInt64>(0)
  private var window = CallWindow<DBusCallID>()
  private var pendingCalls: [DBusCallID: PendingCall] = [:]
  private var listeners: [DBusListener] = []
  private var callHandler: (@Sendable (DBusInvocation) -> Void)?

  private init(loop: EventLoop) { self.loop = loop }

  isolated deinit { end(.disconnected("the connection is no longer needed")) }

  /// Connects and says hello. `onEnd` is called on the loop, once, with the reason, when the connection ends that
  /// this has returned.
  package static func open(
    _ address: DBusAddress, on loop: EventLoop, deadline: Duration = .seconds(8),
    onEnd: (@Sendable (DBusFailure) -> Void)? = nil
  ) async throws(DBusFailure) -> DBusConnection {
    let connection = DBusConnection(loop: loop)
    try await connection.connect(address, deadline: deadline, onEnd: onEnd)
    return connection
  }

  private func connect(
    _ address: DBusAddress, deadline: Duration, onEnd: (@Sendable (DBusFailure) -> Void)?
  ) async throws(DBusFailure) {
    raw = try RawConnection(
      address, on: loop,
      callbacks: RawConnection.Callbacks(
        socketReady: { [weak self] readiness in self?.assumeIsolated { $0.raw?.ready(readiness) } },
        dispatchDue: { [weak self, loop] in
          loop.execute { [weak self] in self?.assumeIsolated { $0.raw?.dispatch() } }
        },
        received: { [weak self] message in self?.assumeIsolated { $0.received(message) } },
        lost: { [weak self] in self?.assumeIsolated { $0.end(.disconnected("D-Bus closed the connection")) }
        }))
    // Hello by an ordinary call, because libdbus would block the loop for it.
    do throws(DBusFailure) {
      guard let name = try await call(.bus("Hello"), deadline: deadline).first?.text else {
        throw DBusFailure.malformed("D-Bus assigned no unique name")
      }
      uniqueName = name
      raw?.setUniqueName(name)
      self.onEnd = onEnd
    } catch {
      end(error)
      throw error
    }
  }

  /// False from the moment it ends.
  package var isOpen: Bool { ending == nil }

  /// Ends the connection: calls without an answer fail, `onEnd` is called. Repeating it does nothing.
  package func close() { end(.disconnected("closed")) }

  private func end(_ reason: DBusFailure) {
    guard ending == nil else { return }
    ending = reason
    raw?.close()
    raw = nil
    listeners = []
    callHandler = nil
    for id in pendingCalls.keys.sorted() { finish(id, .failure(reason)) }
    onEnd?(reason)
    onEnd = nil
  }

  private nonisolated func nextNumber() -> UInt64 { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

  private func received(_ message: IncomingMessage) {
    switch message {
    case .answer(let serial, let outcome):
      guard let id = window.answered(serial: serial) else { return }
      finish(id, outcome)
      sendWaitingCalls()
    case .signal(let signal):
      for listener in listeners where listener.rule.matches(signal) { listener.handler(signal) }
    case .call(let call): serve(call)
    }
  }
}

// Calls to others.
extension DBusConnection {
  /// Asks and waits for the answer. At most 64 calls are on the bus at once, later ones wait their turn; `deadline`
  /// counts from here. A cancelled caller stops waiting at once, and a late answer is dropped.
  ///
  /// `onArrival` is called on the loop at the moment the answer arrives, or fails to: in order with the signals
  /// before and after it, which the caller, resumed later, is not. Give an `id` of your own to be able to
  /// `abandon` the call.
  package func call(
    _ call: DBusMethodCall, id: DBusCallID? = nil, deadline: Duration,
    onArrival: (@Sendable (Outcome) -> Void)? = nil
  ) async throws(DBusFailure) -> [DBusValue] {
    let id = id ?? newCallID()
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start(call, id, deadline) {
          onArrival?($0)
          continuation.resume(returning: $0)
        }
      }
    } onCancel: {
      loop.execute { [weak self] in self?.assumeIsolated { $0.abandon(id) } }
    }
    return try outcome.get()
  }

  /// The same for callers on the loop that do not wait. `completion` is called once.
  @discardableResult
  package func send(
    _ call: DBusMethodCall, id: DBusCallID? = nil, deadline: Duration,
    completion: @escaping @Sendable (Outcome) -> Void
  ) -> DBusCallID {
    let id = id ?? newCallID()
    start(call, id, deadline, completion)
    return id
  }

  /// A name for a call to be made.
  package nonisolated func newCallID() -> DBusCallID { DBusCallID(number: nextNumber()) }

  /// Stops waiting: the call fails with `reason`, unless it is over already.
  package func abandon(_ id: DBusCallID, _ reason: DBusFailure = .cancelled) {
    guard let call = pendingCalls[id] else { return }
    window.abandon(id, serial: call.serial)
    finish(id, .failure(reason))
    if window.isExhausted { end(.disconnected("too many calls were never answered")) }
    sendWaitingCalls()
  }

  private func start(
    _ call: DBusMethodCall, _ id: DBusCallID, _ deadline: Duration,
    _ completion: @escaping @Sendable (Outcome) -> Void
  ) {
    do throws(DBusFailure) {
      if let ending { throw ending }
      let message = try DBusMessage.call(call)
      let timer = loop.schedule(after: deadline) { [weak self] in
        self?.assumeIsolated { $0.abandon(id, .timedOut(after: deadline)) }
      }
      if pendingCalls.isEmpty { loop.beginUrgentWait() }
      pendingCalls[id] = PendingCall(message: message, timer: timer, completion: completion)
      window.enter(id)
      sendWaitingCalls()
    } catch {
      completion(.failure(error))
    }
  }

  private func sendWaitingCalls() {
    while let raw, let id = window.next(), let call = pendingCalls[id] {
      if let serial = raw.send(call.message) {
        pendingCalls[id]?.serial = serial
        window.sent(id, serial: serial)
      } else {
        finish(id, .failure(.notSendable("out of memory")))
      }
    }
  }

  private func finish(_ id: DBusCallID, _ outcome: Outcome) {
    guard let call = pendingCalls.removeValue(forKey: id) else { return }
    call.timer.cancel()
    if pendingCalls.isEmpty { loop.endUrgentWait() }
    call.completion(outcome)
  }
}

// Signals.
extension DBusConnection {
  /// A connection listens to few kinds of signals, for the bus compares each signal with every rule of everybody.
  static var listenerLimit: Int { 8 }

  /// Calls `handler` on the loop with every signal that matches, from now on, in order of arrival.
  package func listen(
    to rule: DBusMatchRule, deadline: Duration = .seconds(8),
    handler: @escaping @Sendable (DBusSignal) -> Void
  ) async throws(DBusFailure) -> DBusListener.ID {
    guard listeners.count < Self.listenerLimit else { throw .notSendable("more than 8 match rules") }
    let listener = DBusListener(id: DBusListener.ID(number: nextNumber()), rule: rule, handler: handler)
    listeners.append(listener)
    do {
      _ = try await call(.bus("AddMatch", .string(rule.text)), deadline: deadline)
    } catch {
      listeners.removeAll { $0.id == listener.id }
      throw error
    }
    return listener.id
  }

  /// The handler is not called again.
  package func stopListening(_ id: DBusListener.ID) {
    guard let index = listeners.firstIndex(where: { $0.id == id }) else { return }
    let rule = listeners.remove(at: index).rule
    send(.bus("RemoveMatch", .string(rule.text)), deadline: .seconds(8)) { _ in }
  }

  /// Says something to everyone who listens, or to one connection.
  package func emit(_ signal: DBusSignal, to destination: String? = nil) throws(DBusFailure) {
    if let ending { throw ending }
    _ = raw?.send(try DBusMessage.signal(signal, to: destination))
  }
}

// Calls from others.
extension DBusConnection {
  /// `handler` is called on the loop with every call that arrives.
  package func serve(_ handler: @escaping @Sendable (DBusInvocation) -> Void) { callHandler = handler }

  private func serve(_ call: IncomingMessage.Call) {
    let invocation = DBusInvocation(call, on: self)
    if case .failure(let failure) = call.arguments {
      invocation.fail(.invalidArguments(failure.description))
    } else if let callHandler {
      callHandler(invocation)
    } else {
      invocation.fail(.unknownMethod("\(call.path) serves no calls"))
    }
  }

  func answer(_ invocation: DBusInvocation, _ outcome: Outcome) {
    do throws(DBusFailure) {
      let message = try DBusMessage.reply(to: invocation.serial, of: invocation.sender, try outcome.get())
      _ = raw?.send(message)
    } catch {
      let (name, text) =
        if case .error(let name, let text) = error { (name, text) } else {
          ("org.freedesktop.DBus.Error.Failed", error.description)
        }
      if let message = try? DBusMessage.failure(
        to: invocation.serial, of: invocation.sender, name: name, text: text)
      {
        _ = raw?.send(message)
      }
    }
  }
}
