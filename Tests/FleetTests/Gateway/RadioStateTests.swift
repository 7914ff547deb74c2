import BoardKit
import FleetModel
import Testing

@testable import Fleet

/// What the radio tells, and what of it is news.
@Suite struct RadioStateTests {
  private static func status(_ state: AdapterStatus.State) -> AdapterStatus {
    AdapterStatus(id: .number(1), name: "hci0", state: state, isDiscovering: false)
  }

  @Test func `an adapter's first appearance is no event, its return is`() {
    var radio = RadioState()
    let types = [AdapterStatus.State.up, .up, .down, .blocked, .failed, .up].map { state in
      radio.adapter(Self.status(state), at: .zero).map { "\($0.isUsable) \($0.type ?? "-")" }
    }
    #expect(
      types == ["true -", nil, "false -", "false blocked", "false failed", "true returned"])
  }

  @Test func `boards can be connected with a service and an adapter that is up`() {
    var radio = RadioState()
    #expect(radio.trouble == .busLost)
    let came = radio.service(true, "ready", at: .zero, time: .at(0))
    let withoutAdapter = radio.judge()
    #expect(came && withoutAdapter && radio.trouble == .noAdapter)
    #expect(radio.troubleMessage == "no Bluetooth adapter can be used")
    _ = radio.adapter(Self.status(.up), at: .zero)
    let usable = radio.judge()
    let same = radio.judge()
    #expect(usable && !same && radio.trouble == nil)
    radio.connection(of: .number(7), on: .number(1), isConnected: true)
    let went = radio.service(false, "bluetoothd is gone", at: .zero, time: .at(0))
    let lost = radio.judge()
    #expect(went && lost && radio.trouble == .busLost && radio.troubleMessage == "bluetoothd is gone")
    #expect(radio.connected.isEmpty && radio.adapters[.number(1)]?.state == .missing)
  }

  @Test func `F100 Bluetooth that is missing at the start is told, once`() {
    var radio = RadioState()
    let told = [false, false, true, true, false].map {
      radio.service($0, "as it is", at: .zero, time: .at(0))
    }
    #expect(told == [true, false, true, false, true])
    var other = RadioState()
    let came = other.service(true, "ready", at: .zero, time: .at(0))
    #expect(came)
  }

  @Test func `F170 an adapter without an address cannot be used, and is the cause where there is no other`() {
    var radio = RadioState()
    _ = radio.service(true, "ready", at: .zero, time: .at(0))
    let types = ["hci1", "hci1", "hci1, hci2"].map { name in
      radio.adapter(
        AdapterStatus(id: .withoutAddress, name: name, state: .failed, isDiscovering: false),
        at: .zero
      ).map { "\($0.isUsable) \($0.type ?? "-")" }
    }
    #expect(types == ["false failed", nil, "false failed"])
    _ = radio.judge()
    #expect(radio.trouble == .noAdapter)
    #expect(radio.troubleMessage.contains("hci1, hci2 has no Bluetooth address of its own"))
    #expect(radio.adapters[.withoutAddress]?.unusable?.code == .noAddress)
    #expect(Self.status(.up).unusable == nil)
  }

  @Test func `an adapter leaves once`() {
    var radio = RadioState()
    _ = radio.adapter(Self.status(.up), at: .zero)
    let first = radio.adapterGone(.number(1), time: .at(5))
    let second = radio.adapterGone(.number(1), time: .at(5))
    let unknown = radio.adapterGone(.number(2), time: .at(5))
    #expect(first?.name == "hci0" && second == nil && unknown == nil)
  }

  @Test func `F167 an adapter that received nothing says so when something is received again`() {
    var radio = RadioState()
    _ = radio.service(true, "ready", at: .zero, time: .at(0))
    _ = radio.adapter(Self.status(.up), at: .zero)
    let report = AdvertisementReport(
      board: .number(7), adapter: .number(1), name: nil, rssi: -60, services: [], time: .at(3))
    let before = radio.advertised(report)
    radio.scanRestarted(.number(1), at: .zero)
    let isSilent = radio.symptoms.isSilent(.number(1))
    let again = radio.advertised(report)
    let then = radio.advertised(report)
    #expect(!before && isSilent && again && !then && !radio.symptoms.isSilent(.number(1)))
  }

  @Test func `F221 an adapter is gone for good after a week without it, or when somebody says so`() {
    var radio = RadioState()
    let day = Duration.seconds(86_400)
    let left = Timestamp(milliseconds: 1_763_671_234_000)
    _ = radio.service(true, "ready", at: .zero, time: left)
    _ = radio.adapter(Self.status(.up), at: .zero)
    let early = radio.forget(.number(1))
    #expect(early == nil && radio.adapters.count == 1, "what is there is not forgotten")
    _ = radio.adapterGone(.number(1), time: left)
    #expect(radio.missingSince[.number(1)] == left)
    #expect(
      radio.goneForGood(at: left + day * 6) == [] && radio.goneForGood(at: left + day * 7) == [.number(1)])
    let forgotten = radio.forget(.number(1))
    #expect(forgotten?.name == "hci0" && radio.adapters.isEmpty && radio.missingSince.isEmpty)
  }

  @Test func `F221 nobody knows what is gone for good while BlueZ is, or the clock is not set`() {
    var radio = RadioState()
    let left = Timestamp(milliseconds: 1_763_671_234_000)
    _ = radio.service(true, "ready", at: .zero, time: left)
    _ = radio.adapter(Self.status(.up), at: .zero)
    _ = radio.service(false, "bluetoothd is gone", at: .zero, time: left)
    let later = left + .seconds(30 * 86_400)
    #expect(radio.goneForGood(at: later) == [])
    _ = radio.service(true, "ready", at: .zero, time: later)
    #expect(radio.goneForGood(at: .at(5)) == [] && radio.goneForGood(at: later) == [.number(1)])
    _ = radio.adapter(Self.status(.up), at: .zero)
    #expect(radio.goneForGood(at: later) == [] && radio.missingSince.isEmpty)
  }

  @Test func `F221 an adapter that an earlier run told of is missing until it is there`() {
    var radio = RadioState()
    let taken = radio.remembered(.number(1), name: "hci0", lastSeen: .at(3))
    let again = radio.remembered(.number(1), name: "hci7", lastSeen: .at(9))
    #expect(taken && !again && radio.adapters[.number(1)]?.state == .missing)
    #expect(radio.missingSince[.number(1)] == .at(3))
    let change = radio.adapter(Self.status(.up), at: .zero)
    #expect(change?.type == "returned" && radio.missingSince.isEmpty)
  }

  @Test func `a scan collects what is heard while it lasts`() {
    var radio = RadioState()
    let report = AdvertisementReport(
      board: .number(7), adapter: .number(1), name: nil, rssi: -60, services: [], time: .at(3))
    radio.advertised(report)
    #expect(radio.scan == nil && radio.lastAdvertisement[.number(1)] == .at(3))
    radio.scanBegins()
    radio.advertised(report)
    radio.advertised(report)
    let heard = radio.scanEnds()
    #expect(heard == [report] && radio.scan == nil)
  }
}
