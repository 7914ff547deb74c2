import BlueZ
import BoardKit
import DBus
import EventLoops
import FleetModel

/// Listens to a radio for a while.
struct ScanListening {
  private enum Item: Sendable {
    case radio(RadioEvent)
    case over
  }

  private(set) var result: ScanResult
  private let span: Duration
  private var hasAdapter = false

  init(result: ScanResult, span: Duration) {
    self.result = result
    self.span = span
  }

  /// What was received; a failure when Bluetooth cannot be used here. `begun` is called as soon as an adapter can be
  /// used.
  consuming func run(
    on radio: some Radio, _ loop: EventLoop, begun: () -> Void = {},
    present: () async -> [PresentDevice] = { [] }
  ) async throws -> ScanResult {
    let (items, inbox) = AsyncStream<Item>.makeStream()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for await event in radio.events { inbox.yield(.radio(event)) } }
      defer { group.cancelAll() }
      loop.schedule(after: span) { inbox.yield(.over) }
      for await item in items {
        switch item {
        case .over:
          guard hasAdapter else {
            throw CommandLineFailure(
              .unavailable,
              "no Bluetooth adapter can be used; plug one in, or switch it on: rfkill unblock bluetooth")
          }
          for device in await present() { result.found(device.report, isConnected: device.isConnected) }
          return result
        case .radio(.advertisement(let report)): result.heard(report)
        case .radio(.adapter(let status)):
          result.note(status)
          if !hasAdapter, status.state == .up { begun() }
          hasAdapter = hasAdapter || status.state == .up
        case .radio(.service(isAvailable: false, let message)):
          throw CommandLineFailure(
            .unavailable,
            "BlueZ cannot be used: \(message); DBUS_SYSTEM_BUS_ADDRESS names another bus")
        case .radio: break
        }
      }
      return result
    }
  }
}
