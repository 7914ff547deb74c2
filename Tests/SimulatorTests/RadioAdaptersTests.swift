import BoardKit
import FleetModel
import Testing

@testable import Simulator

@Suite struct RadioAdaptersTests {
  private let id = SimulatedRadio.adapter.id
  private let adapters = RadioAdapters([SimulatedRadio.adapter])

  @Test func `adapters that are up scan while somebody wants it and nobody connects`() {
    var adapters = adapters
    adapters.isDiscoveryWanted = true
    let began = adapters.updateDiscovery().map(\.isDiscovering)
    let same = adapters.updateDiscovery()
    adapters.attempts = 1
    let paused = adapters.updateDiscovery().map(\.isDiscovering)
    adapters.attempts = 0
    _ = adapters.updateDiscovery()
    adapters.isServiceThere = false
    let gone = adapters.updateDiscovery().map(\.isDiscovering)
    #expect(began == [true] && same == [] && paused == [false] && gone == [false])
  }

  @Test func `an adapter that is plugged in has a name, and one that goes down does not scan`() {
    var adapters = adapters
    adapters.isDiscoveryWanted = true
    _ = adapters.updateDiscovery()
    let down = adapters.set(id, .down, name: nil)
    #expect(down.state == .down && !down.isDiscovering && down.name == "hci0")
    let other = AdapterID(BluetoothAddress(rawValue: 0xAA))
    #expect(adapters.set(other, .up, name: nil).name == "hci1")
    #expect(adapters.set(other, .up, name: "usb").name == "usb")
    #expect(adapters.all.map(\.id) == [other, id])
    let removed = [adapters.remove(other), adapters.remove(other)]
    #expect(removed == [true, false])
  }

  @Test func `each adapter that scans reports a board as strong as it is there`() {
    var (adapters, air) = (RadioAdapters(SimulatedAdapters.all(3)), Air(seed: 1))
    let advertisement = Advertisement(
      localName: "MetaWear", service: MetaMotionAttributes.service, manufacturerData: [:])
    adapters.isDiscoveryWanted = true
    _ = adapters.set(SimulatedAdapters.id(of: 1), .down, name: nil)
    _ = adapters.updateDiscovery()
    let board = BoardID(BoardIdentity(number: 1).address)
    let time = Timestamp(milliseconds: 0)
    let events = adapters.advertisementReports(of: board, advertisement, through: &air, at: time)
    let heard = events.compactMap { event -> AdapterID? in
      if case .advertisement(let report) = event { report.adapter } else { nil }
    }
    #expect(heard == [0, 2].map { SimulatedAdapters.id(of: $0) })
  }

  @Test func `links can be made over adapters that are up`() {
    var adapters = adapters
    func refusal(_ id: AdapterID) -> LinkFailure.Reason? {
      do throws(LinkFailure) {
        try adapters.require(id)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(refusal(id) == nil && refusal(AdapterID(BluetoothAddress(rawValue: 1))) == .adapterGone)
    _ = adapters.set(id, .down, name: nil)
    #expect(refusal(id) == .adapterOff)
    adapters.isServiceThere = false
    #expect(refusal(id) == .serviceGone)
  }

  @Test func `who comes finds the service and its adapters, or none`() {
    var adapters = adapters
    #expect(
      adapters.events == [
        .service(isAvailable: true, message: "simulated"), .adapter(SimulatedRadio.adapter),
      ])
    adapters.isServiceThere = false
    #expect(adapters.events == [.service(isAvailable: false, message: "nobody serves org.bluez")])
  }
}
