import BoardKit
import FleetModel
import MetaMotion
import Testing

@testable import metafleet

@Suite struct TryScanTests {
  private let near: BoardID
  private let far: BoardID
  private let first: AdapterStatus
  private let second: AdapterStatus

  init() throws {
    near = try #require(BoardID("c0ffee000001"))
    far = try #require(BoardID("c0ffee000002"))
    first = AdapterStatus(
      id: try #require(AdapterID("00aa01000000")), name: "hci0", state: .up, isDiscovering: false)
    second = AdapterStatus(
      id: try #require(AdapterID("00aa01000001")), name: "hci1", state: .up, isDiscovering: false)
  }

  @Test func `the board received best is taken once the time is over`() {
    var scan = scan()
    #expect(scan.take(.service(isAvailable: true, message: "")) == [])
    #expect(scan.take(.adapter(first)) == [.report(.adapter(first)), .begin])
    #expect(scan.take(.adapter(first)) == [])
    #expect(scan.take(advertisement(far, -80)) == [])
    #expect(scan.take(advertisement(near, -50)) == [])
    #expect(scan.adaptersAreLate() == [])
    let boards = [entry(near, -50), entry(far, -80)]
    #expect(
      scan.choose() == [
        .report(.scan(boards, chosen: near, isWanted: false)),
        .end(TryScan.Target(board: near, adapter: first.id, adapterName: "hci0")),
      ])
  }

  @Test func `the board that was asked for is taken as soon as it is received, whatever it advertises`() {
    var scan = scan(wanted: far)
    _ = scan.take(.adapter(first))
    #expect(scan.take(advertisement(near, -50)) == [])
    let actions = scan.take(advertisement(far, -80, isBoard: false))
    #expect(actions.last == .end(TryScan.Target(board: far, adapter: first.id, adapterName: "hci0")))
    #expect(actions.count == 2)
  }

  @Test func `over all adapters, or over the one that was asked for and no other`() {
    var all = scan()
    _ = all.take(.adapter(first))
    #expect(all.take(.adapter(second)) == [.report(.adapter(second))])
    for name in ["hci1", "00:AA:01:00:00:01"] {
      var one = scan(adapter: name)
      #expect(one.take(.adapter(first)) == [])
      #expect(one.take(.adapter(second)) == [.report(.adapter(second)), .use(second.id), .begin])
      // What it received before it was told to stop does not count.
      #expect(one.take(advertisement(near, -50)) == [])
      #expect(one.take(.adapterGone(first.id)) == [])
      #expect(
        one.choose() == [
          .report(
            .nothingReceived(wanted: nil, received: [], connected: [], within: .seconds(10))), .end(nil),
        ])
    }
  }

  @Test func `an adapter that is off is waited for, and named when it stays off`() {
    var off = first
    off.state = .blocked
    var scan = scan()
    #expect(scan.take(.adapter(off)) == [])
    #expect(scan.adaptersAreLate() == [.report(.noAdapter(wanted: nil, known: [off])), .end(nil)])
    #expect(scan.take(.adapter(first)) == [.report(.adapter(first)), .begin])
  }

  @Test func `no adapter, an adapter that was pulled out, and no BlueZ end it`() {
    var scan = scan(adapter: "hci1")
    #expect(scan.adaptersAreLate() == [.report(.noAdapter(wanted: "hci1", known: [])), .end(nil)])
    _ = scan.take(.adapter(second))
    #expect(
      scan.take(.adapterGone(second.id)) == [.report(.noAdapter(wanted: "hci1", known: [])), .end(nil)])
    #expect(
      scan.take(.service(isAvailable: false, message: "no bus")) == [
        .report(.noService("no bus")), .end(nil),
      ])
  }

  @Test func `an adapter without an address is none`() {
    var scan = scan()
    let status = AdapterStatus(id: .withoutAddress, name: "hci0", state: .failed, isDiscovering: false)
    #expect(scan.take(.adapter(status)) == [])
    #expect(scan.adaptersAreLate() == [.report(.noAdapter(wanted: nil, known: [])), .end(nil)])
  }

  @Test func `F181 a board that another program is connected to is left to it at once`() {
    var known = scan(wanted: near)
    #expect(known.take(.connection(near, first.id, isConnected: true)) == [])
    #expect(
      known.take(.adapter(first)) == [.report(.adapter(first)), .begin, .report(.held(near)), .end(nil)])
    var later = scan(wanted: near)
    _ = later.take(.adapter(first))
    #expect(later.take(.connection(far, first.id, isConnected: true)) == [])
    #expect(
      later.take(.connection(near, first.id, isConnected: true)) == [.report(.held(near)), .end(nil)])
  }

  @Test func `what was connected and is no longer may be received`() {
    var scan = scan(wanted: near)
    _ = scan.take(.connection(near, first.id, isConnected: true))
    _ = scan.take(.connection(near, first.id, isConnected: false))
    #expect(scan.take(.adapter(first)) == [.report(.adapter(first)), .begin])
  }

  @Test func `a board in its bootloader is not taken, and named when it was asked for`() throws {
    let bootloader = try #require(MetaMotionFamily.descriptor.advertisedServices.last)
    let advertisement = RadioEvent.advertisement(
      AdvertisementReport(
        board: near, adapter: first.id, name: nil, rssi: -40, services: [bootloader],
        time: Timestamp(milliseconds: 0)))
    var best = scan()
    _ = best.take(.adapter(first))
    _ = best.take(advertisement)
    _ = best.take(self.advertisement(far, -80))
    #expect(best.choose().last == .end(TryScan.Target(board: far, adapter: first.id, adapterName: "hci0")))
    var wanted = scan(wanted: near)
    _ = wanted.take(.adapter(first))
    #expect(wanted.take(advertisement) == [.report(.bootloader(near)), .end(nil)])
  }

  private func scan(wanted: BoardID? = nil, adapter: String? = nil) -> TryScan {
    TryScan(wanted: wanted, adapter: adapter, span: .seconds(10), family: MetaMotionFamily.descriptor)
  }

  private func entry(_ board: BoardID, _ rssi: Int) -> ScanResult.Entry {
    ScanResult.Entry(report: report(board, rssi), isBootloader: false)
  }

  private func advertisement(_ board: BoardID, _ rssi: Int, isBoard: Bool = true) -> RadioEvent {
    .advertisement(report(board, rssi, isBoard: isBoard))
  }

  /// Received by the first adapter.
  private func report(_ board: BoardID, _ rssi: Int, isBoard: Bool = true) -> AdvertisementReport {
    AdvertisementReport(
      board: board, adapter: first.id, name: nil, rssi: rssi,
      services: isBoard ? MetaMotionFamily.descriptor.advertisedServices.prefix(1).map(\.self) : [],
      time: Timestamp(milliseconds: 0))
  }
}
