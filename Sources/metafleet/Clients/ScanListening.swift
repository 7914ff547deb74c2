import BlueZ
import BoardKit
import DBus
import EventLoops
import FleetModel

/// Listens to a radio for a while.
struct ScanListening {
  private enum News: Sendable {
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

  /// What was heard; a failure when Bluetooth cannot be used here.
  consuming func run(on radio: some Radio, _ loop: EventLoop) async throws -> ScanResult {
    let (news, inbox) = AsyncStream<News>.makeStream()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for await event in radio.events { inbox.yield(.radio(event)) } }
      defer { group.cancelAll() }
      loop.schedule(after: span) { inbox.yield(.over) }
      for await item in news {
        switch item {
        case .over:
          guard hasAdapter else {
            throw CommandLineFailure(
              .unavailable,
              "no Bluetooth adapter can be used; plug one in, or switch it on: rfkill unblock bluetooth")
          }
          return result
        case .radio(.sighting(let sighting)): result.heard(sighting)
        case .radio(.adapter(let status)): hasAdapter = hasAdapter || status.state == .up
        case .radio(.service(isAvailable: false, let message)):
          throw CommandLineFailure(
            .unavailable,
            "Bluetooth cannot be used: \(message); start it: systemctl start bluetooth, or name another bus with "
              + "DBUS_SYSTEM_BUS_ADDRESS")
        case .radio: break
        }
      }
      return result
    }
  }
}
