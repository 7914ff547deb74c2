import BoardKit
import FleetModel
import Testing

@testable import BlueZ

@Suite struct RadioStatusFilterTests {
  private let id = AdapterID(BluetoothAddress(rawValue: 1))

  @Test func `what was said last is not said again`() {
    var announcements = RadioStatusFilter()
    let events = [(true, "there"), (true, "there"), (false, "gone"), (true, "there")].map {
      announcements.service(isAvailable: $0, $1)
    }
    #expect(
      events == [
        .service(isAvailable: true, message: "there"), nil, .service(isAvailable: false, message: "gone"),
        .service(isAvailable: true, message: "there"),
      ])
  }

  @Test func `an adapter is told when it changed, and its end once`() {
    var announcements = RadioStatusFilter()
    let up = AdapterStatus(id: id, name: "hci0", state: .up, isDiscovering: false)
    var scanning = up
    scanning.isDiscovering = true
    let events = [up, up, scanning].map { announcements.adapter($0) }
    let ends = [announcements.adapterGone(id), announcements.adapterGone(id)]
    let back = announcements.adapter(scanning)
    #expect(events == [.adapter(up), nil, .adapter(scanning)])
    #expect(ends == [.adapterGone(id), nil] && back == .adapter(scanning))
  }

  @Test func `F170 adapters without an address are told together, by their names, once`() {
    var announcements = RadioStatusFilter()
    func failed(_ name: String) -> RadioEvent {
      .adapter(AdapterStatus(id: .withoutAddress, name: name, state: .failed, isDiscovering: false))
    }
    let events = [[], ["hci1"], ["hci1"], ["hci1", "hci2"], [], []].map {
      announcements.adaptersWithoutAddress($0)
    }
    #expect(
      events == [nil, failed("hci1"), nil, failed("hci1, hci2"), .adapterGone(.withoutAddress), nil])
  }
}
