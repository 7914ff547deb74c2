import BoardKit
import FleetModel
import Testing

@testable import Fleet

@Suite struct GatewayDocumentsTests {
  private static func info(boards: [BoardID] = []) -> GatewayInfo {
    GatewayInfo(
      site: nil, version: "1", host: "pi", operatingSystem: "Debian", configurationHash: "0",
      started: .at(0), adapters: [], boards: boards, admissionMode: "listed", verbs: [], mqttProtocol: "5",
      changed: .at(0))
  }

  @Test func `a document is told when it says something else, with the time of that`() {
    var documents = GatewayDocuments()
    let first = documents.update(Self.info(), at: .at(1))
    let same = documents.update(Self.info(), at: .at(2))
    let other = documents.update(Self.info(boards: [.number(1)]), at: .at(3))
    #expect(first?.changed == .at(1) && same == nil && other?.changed == .at(3))
  }

  @Test func `an adapter's report puts together what the radio, its slots and attempts say`() {
    var radio = RadioState()
    let status = AdapterStatus(id: .number(1), name: "hci0", state: .up, isDiscovering: true)
    _ = radio.adapter(status, at: .zero)
    radio.reset(.number(1))
    radio.scanRestarted(.number(1), at: .zero)
    let report = AdapterReport(status, in: radio, nil, nil, queue: ConnectionQueue(waiting: 3))
    #expect(
      report.queue.waiting == 3 && report.resets == 1 && report.scanRestarts == 1 && report.isScanning
        && report.slotsTotal == 0)
    var documents = GatewayDocuments()
    let first = documents.update(report, at: .at(5))
    let second = documents.update(report, at: .at(6))
    #expect(first == report && second == nil && documents.adapterReports == [report])
    // Said again it is the same, byte for byte.
    guard case .adapter(let time, report)? = documents.retained(storage: .fine).first else {
      return #expect(Bool(false))
    }
    #expect(time == .at(5))
  }

  @Test func `F167 a scan that receives nothing stays in the adapter's report, whatever failed before`() {
    var radio = RadioState()
    let status = AdapterStatus(id: .number(1), name: "hci0", state: .up, isDiscovering: true)
    _ = radio.service(true, "ready", at: .zero, time: .at(0))
    _ = radio.adapter(status, at: .zero)
    let failed = ConnectionScheduler.Statistics(connectsFailed: 1, lastError: StatedReason(.refused, "no"))
    func report() -> AdapterReport {
      AdapterReport(status, in: radio, nil, failed, queue: ConnectionQueue(waiting: 0))
    }
    #expect(report().scanTrouble == nil && report().lastError?.code == .refused)
    radio.scanRestarted(.number(1), at: .zero)
    #expect(report().scanTrouble?.code == .scanSilent && report().lastError?.code == .refused)
    _ = radio.adapter(
      AdapterStatus(id: .number(1), name: "hci0", state: .down, isDiscovering: false), at: .zero)
    #expect(report().scanTrouble == nil)
  }

  @Test func `F173 an adapter tells what its boards ask of their links, and what these carry`() {
    let status = AdapterStatus(id: .number(1), name: "hci0", state: .up, isDiscovering: true)
    var slots = ConnectionSlotPlan.Adapter(limit: 5)
    slots.links = [.number(1), .number(2)]
    let report = AdapterReport(
      status, in: RadioState(), slots, nil, queue: ConnectionQueue(waiting: 0), load: 600)
    #expect(report.connected == [.number(1), .number(2)])
    #expect(report.load == 600 && report.capacity == 2 * LinkLoad.carried)
  }

  @Test func `F210 health is published anew when what it sums up is different, not before its first time`() {
    var documents = GatewayDocuments()
    #expect(!documents.healthDiffers(from: [.boardsConnected: 1]))
    documents.update([.uptime: 7, .boardsConnected: 1, .bluetoothOK: 1], at: .at(1))
    #expect(!documents.healthDiffers(from: [.boardsConnected: 1, .bluetoothOK: 1]))
    #expect(documents.healthDiffers(from: [.boardsConnected: 2, .bluetoothOK: 1]))
    #expect(documents.healthDiffers(from: [.boardsConnected: 1, .bluetoothOK: 0]))
  }

  @Test func `F221 of an adapter that is missing no figure stands as if it were there`() throws {
    var radio = RadioState()
    _ = radio.adapter(AdapterStatus(id: .number(1), name: "hci0", state: .up, isDiscovering: true), at: .zero)
    _ = radio.adapterGone(.number(1), time: .at(7))
    var slots = ConnectionSlotPlan.Adapter(limit: 5)
    slots.links = [.number(1), .number(2)]
    let report = AdapterReport(
      try #require(radio.adapters[.number(1)]), in: radio, slots, nil, queue: ConnectionQueue(waiting: 3),
      load: 600)
    #expect(report.state == "missing" && report.lastSeen == .at(7) && !report.isScanning)
    #expect(report.slotsUsed == 0 && report.slotsTotal == 0 && report.connected.isEmpty && report.load == 0)
    #expect(report.queue.waiting == 0)
    var documents = GatewayDocuments()
    _ = documents.update(report, at: .at(5))
    documents.forget(.number(1))
    #expect(documents.retained(storage: .fine).isEmpty)
  }

  @Test func `a broker that may have lost them gets all that were told`() {
    var documents = GatewayDocuments()
    #expect(documents.retained(storage: .fine).isEmpty)
    _ = documents.update(Self.info(), at: .at(1))
    documents.update([.uptime: 1], at: .at(2))
    #expect(documents.retained(storage: .fine).count == 2)
  }
}
