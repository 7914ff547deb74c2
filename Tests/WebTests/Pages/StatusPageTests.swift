import FleetModel
import Testing

@testable import Web

@Suite struct StatusPageTests {
  private static func page(_ snapshot: FleetSnapshot) -> String {
    String(decoding: StatusPage.content(snapshot).bytes, as: UTF8.self)
  }

  private static let evil = "<script>alert(1)</script>"

  @Test func `F225 names and reasons from outside are text`() {
    var snapshot = SampleFleet.snapshot(boards: 1) { _ in Self.evil }
    snapshot.boards[0].state?.reason = StatedReason(.streamSilent, Self.evil)
    snapshot.readiness.bluetoothTrouble = Self.evil
    snapshot.gateway = Self.evil
    var adapter = AdapterReport(
      id: AdapterID(BluetoothAddress(rawValue: 1)), name: Self.evil, state: "up", slotsTotal: 1)
    adapter.lastError = StatedReason(.noAddress, Self.evil)
    snapshot.adapters = [adapter]
    let page = Self.page(snapshot)
    #expect(!page.contains("<script"))
    #expect(page.ranges(of: "&lt;script&gt;alert(1)&lt;/script&gt;").count == 7)
  }

  @Test func `troubles come first, then names in their order`() throws {
    var snapshot = SampleFleet.snapshot(boards: 3) { ["Cellar", "Attic", "Barn"][$0] }
    snapshot.boards[2].availability = Availability(reason: .silent, since: SampleFleet.now)
    let page = Self.page(snapshot)
    let places = try ["Barn", "Attic", "Cellar"].map { try #require(page.firstRange(of: $0)).lowerBound }
    #expect(places == places.sorted())
    #expect(page.contains("<tr class=\"trouble\"><td>Barn</td><td>offline for 0s</td>"))
  }

  @Test func `causes are listed, or it says that the gateway is ready`() {
    var snapshot = SampleFleet.snapshot(boards: 0)
    snapshot.numbers[.clockSynced] = 0
    #expect(Self.page(snapshot).contains("<li>broker: "))
    #expect(Self.page(snapshot).contains("<li>clock: "))
    (snapshot.readiness.isStarted, snapshot.readiness.isBrokerConnected) = (true, true)
    (snapshot.readiness.bluetoothTrouble, snapshot.numbers[.clockSynced]) = (nil, 1)
    #expect(Self.page(snapshot).contains("<p>Ready.</p>"))
  }

  @Test func `F228 so many boards are shown, the others counted`() {
    let page = Self.page(SampleFleet.snapshot(boards: 1_002))
    #expect(page.ranges(of: "<td>streaming</td>").count == 1_000)
    #expect(page.contains("<p>And 2 more boards.</p>"))
  }
}
