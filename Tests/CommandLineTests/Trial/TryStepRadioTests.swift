import BoardKit
import FleetModel
import MetaMotion
import Testing

@testable import metafleet

@Suite struct TryStepRadioTests {
  private let board: BoardID
  private let adapter: AdapterStatus

  init() throws {
    board = try #require(BoardID("e5a1c2d3f4b6"))
    adapter = AdapterStatus(
      id: try #require(AdapterID("00aa01000000")), name: "hci0", state: .up, isDiscovering: false)
  }

  @Test func `an adapter by name and address`() {
    #expect(
      TryStep.adapter(adapter)
        == .done(
          .adapter, "hci0, 00:AA:01:00:00:00, is used", ["adapter": "00aa01000000", "name": "hci0"]))
    #expect(adapter.isNamed(nil) && adapter.isNamed("hci0") && adapter.isNamed("00:AA:01:00:00:00"))
    #expect(!adapter.isNamed("hci1"))
  }

  @Test func `no adapter, one that is off, and another than the one asked for`() {
    var blocked = adapter
    blocked.state = .blocked
    for step in [
      TryStep.noAdapter(wanted: nil, known: []), .noAdapter(wanted: nil, known: [blocked]),
      .noAdapter(wanted: "hci7", known: [adapter]),
    ] {
      #expect(step.kind == .adapter && step.outcome == .failed(.unavailable))
    }
    #expect(TryStep.noAdapter(wanted: nil, known: []).text.hasPrefix("there is no Bluetooth adapter; plug"))
    #expect(
      TryStep.noAdapter(wanted: "hci0", known: [blocked]).text
        == "hci0 is blocked: switch it on with rfkill unblock bluetooth, then bluetoothctl power on")
    #expect(
      TryStep.noAdapter(wanted: "hci7", known: [adapter]).text
        == "there is no Bluetooth adapter \"hci7\"; did you mean hci0?")
  }

  @Test func `all boards that were received, the strongest first, and which is taken`() {
    let step = TryStep.scan(
      [entry(board, "Meta", -50), entry(board, nil, nil)], chosen: board, isWanted: false)
    #expect(
      step.text
        == "2 boards received: E5:A1:C2:D3:F4:B6 \"Meta\" -50 dBm, E5:A1:C2:D3:F4:B6 without a name; "
        + "E5:A1:C2:D3:F4:B6 is received best")
    #expect(step.data["chosen"] == "e5a1c2d3f4b6")
    #expect(
      step.data["boards"]?.array?.first
        == .object([
          "board": "e5a1c2d3f4b6", "name": "Meta", "rssi_dbm": -50, "adapter": "00aa01000000",
          "bootloader": false,
        ]))
  }

  @Test func `nothing received says what to do, and names what this computer is connected to`() {
    let step = TryStep.nothingReceived(
      wanted: nil, received: [], connected: [board], within: .seconds(10))
    #expect(step.outcome == .failed(.no))
    #expect(step.text.hasPrefix("no board was received within 10s: charge the board"))
    #expect(step.text.hasSuffix("this computer is connected to E5:A1:C2:D3:F4:B6"))
  }

  @Test func `an address that was not received is held against those that were`() throws {
    let near = try #require(BoardID("e5a1c2d3f4b7"))
    let step = TryStep.nothingReceived(
      wanted: near, received: [entry(board, nil, -50)], connected: [], within: .seconds(10))
    #expect(
      step.text.hasPrefix(
        "E5:A1:C2:D3:F4:B7 was not received within 10s (did you mean E5:A1:C2:D3:F4:B6, which was?): charge"))
  }

  @Test func `only boards in their bootloader`() {
    var waiting = entry(board, nil, -50)
    waiting.isBootloader = true
    #expect(
      TryStep.nothingReceived(wanted: nil, received: [waiting], connected: [], within: .seconds(1)).text
        == "only boards in their bootloader were received (E5:A1:C2:D3:F4:B6): reset one with its button")
  }

  @Test func `a board that another program has is named as such, with what to do`() {
    let step = TryStep.notConnected(board, LinkFailure(.busyElsewhere, "acquired"))
    #expect(step == .held(board))
    #expect(step.outcome == .failed(.tryLater))
    #expect(step.text.contains("metafleet send E5:A1:C2:D3:F4:B6 disconnect hold_s=120"))
    #expect(step.text.contains("bluetoothctl disconnect E5:A1:C2:D3:F4:B6"))
  }

  @Test func `a connection that fails has its cause and its remedy`() {
    let step = TryStep.notConnected(board, LinkFailure(.adapterOff, "hci0 is switched off"))
    #expect(
      step
        == .failed(
          .connect,
          "E5:A1:C2:D3:F4:B6: hci0 is switched off; rfkill unblock bluetooth, then bluetoothctl power on",
          .unavailable, ["board": "e5a1c2d3f4b6", "reason_code": "adapter-off"]))
  }

  @Test(arguments: LinkFailure.Reason.allCases)
  func `no failure of a connection is without a remedy or counts as done`(_ reason: LinkFailure.Reason) {
    let (advice, status) = TryRemedy.remedy(for: reason)
    #expect(!advice.isEmpty && status != .ok)
  }

  @Test func `the end is believed only when BlueZ says so`() {
    #expect(TryStep.disconnected(board, lost: nil, isDown: true).outcome == .done)
    #expect(TryStep.disconnected(board, lost: nil, isDown: false).outcome == .failed(.no))
    let lost = TryStep.disconnected(
      board, lost: LinkFailure(.linkLost, "the connection was lost"), isDown: true)
    #expect(lost.outcome == .failed(.no))
    #expect(lost.text.hasPrefix("the connection ended before: the connection was lost; bring"))
  }

  private func entry(_ board: BoardID, _ name: String?, _ rssi: Int?) -> ScanResult.Entry {
    ScanResult.Entry(
      report: AdvertisementReport(
        board: board, adapter: adapter.id, name: name, rssi: rssi, services: [],
        time: Timestamp(milliseconds: 0)),
      isBootloader: false)
  }
}
