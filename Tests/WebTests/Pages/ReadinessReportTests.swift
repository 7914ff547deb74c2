import FleetModel
import Testing

@testable import Web

@Suite struct ReadinessReportTests {
  private static let ready: FleetSnapshot.Readiness = {
    var readiness = FleetSnapshot.Readiness()
    (readiness.isStarted, readiness.isBrokerConnected, readiness.bluetoothTrouble) = (true, true, nil)
    return readiness
  }()

  @Test func `a gateway with storage, broker and Bluetooth is ready`() {
    #expect(ReadinessReport(Self.ready).content == .text(200, ["ready"]))
    #expect(ReadinessReport(Self.changed { $0.storage = .slow }).causes == [])
  }

  private static func changed(_ change: (inout FleetSnapshot.Readiness) -> Void) -> FleetSnapshot.Readiness {
    var readiness = ready
    change(&readiness)
    return readiness
  }

  @Test(
    arguments: [
      (changed { $0.isStarted = false }, "starting: "),
      (changed { $0.isBrokerConnected = false }, "broker: "),
      (changed { $0.storage = .full }, "storage: the gateway cannot store"),
      (changed { $0.bluetoothTrouble = "no adapter" }, "bluetooth: no adapter"),
    ])
  func `each part that is missing has a line`(readiness: FleetSnapshot.Readiness, words: String) {
    let report = ReadinessReport(readiness)
    #expect(report.causes.count == 1 && report.causes.first?.hasPrefix(words) == true)
    #expect(report.content.status == 503)
  }

  @Test func `at first everything is missing but the disk`() {
    #expect(ReadinessReport(FleetSnapshot.Readiness()).causes.count == 3)
  }
}
