import BlueZ
import DBus
import EventLoops
import FleetModel

/// The privileged recovery helper on the bus. It carries out one call after the other, within its limits, and logs
/// each.
struct RecoveryService: Sendable {
  /// So many calls wait for their turn; further ones are refused.
  private static let mostWaiting = 8

  private let connection: DBusConnection
  /// Kept, because the connection does not hold it.
  private let server: DBusObjectServer
  private let calls: AsyncStream<DBusInvocation>
  private let queue: AsyncStream<DBusInvocation>.Continuation
  private let reset: USBReset
  private let loop: EventLoop

  /// Exports the object and takes the name. `onEnd` learns why the connection to the bus ended.
  static func start(
    on bus: DBusAddress, sysfs: String, loop: EventLoop, onEnd: @escaping @Sendable (DBusFailure) -> Void
  ) async throws(DBusFailure) -> RecoveryService {
    let connection = try await DBusConnection.open(bus, on: loop, onEnd: onEnd)
    let (calls, queue) = AsyncStream<DBusInvocation>.makeStream(
      bufferingPolicy: .bufferingOldest(mostWaiting))
    let take: @Sendable (DBusInvocation) -> Void = { call in
      if case .dropped = queue.yield(call) {
        call.fail(RecoveryFailure.failed("too many calls wait already").answer)
      }
    }
    let methods = [
      DBusMethod(RecoveryHelperNames.resetAdapter, takes: "s", handler: take),
      DBusMethod(RecoveryHelperNames.restartBluetoothd, handler: take),
    ]
    let server = await DBusObjectServer.start(on: connection)
    await server.export(
      [DBusInterface(RecoveryHelperNames.interface, methods: methods)], at: RecoveryHelperNames.path)
    do throws(DBusFailure) {
      try await connection.requestName(RecoveryHelperNames.service)
    } catch {
      await connection.close()
      throw error
    }
    return RecoveryService(
      connection: connection, server: server, calls: calls, queue: queue,
      reset: USBReset(sysfs: sysfs, loop: loop), loop: loop)
  }

  /// Answers calls until `end` returns. What has begun then is finished: a device that was switched off would stay so.
  func serve<Ending: Sendable>(until end: @Sendable () async -> Ending) async -> Ending {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await answerCalls() }
      let ending = await end()
      queue.finish()
      await group.waitForAll()
      await connection.close()
      return ending
    }
  }

  private func answerCalls() async {
    let start = ContinuousClock.now
    var limits = RecoveryLimits()
    for await call in calls {
      do throws(RecoveryFailure) {
        try await carryOut(call, within: &limits, at: start.duration(to: .now))
        call.reply()
        Self.log(call, "done")
      } catch {
        call.fail(error.answer)
        Self.log(call, "not done: \(error)")
      }
    }
  }

  /// What names no adapter that could be reset does not count.
  private func carryOut(
    _ call: DBusInvocation, within limits: inout RecoveryLimits, at now: Duration
  ) async throws(RecoveryFailure) {
    if call.member == RecoveryHelperNames.resetAdapter {
      let device = try reset.device(of: call.arguments.first?.text ?? "")
      if let wait = limits.reset(device, at: now) { throw .tooSoon(wait: wait) }
      try await reset.run(device)
    } else {
      if let wait = limits.restart(at: now) { throw .tooSoon(wait: wait) }
      try await BluetoothdRestart.run(on: loop)
    }
  }

  /// One line: who, what, outcome.
  private static func log(_ call: DBusInvocation, _ outcome: String) {
    let argument = call.arguments.first?.text.map { " " + PrintableText.quoted($0) } ?? ""
    Console.note("\(call.sender) \(call.member)\(argument): \(outcome)")
  }
}
