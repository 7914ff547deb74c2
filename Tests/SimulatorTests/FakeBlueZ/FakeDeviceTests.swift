import BoardKit
import DBus
import FleetModel
import Testing

@testable import Simulator

struct FakeDeviceTests {
  private func advertisement(_ name: String, service: AttributeUUID = MetaMotionAttributes.service)
    -> Advertisement
  {
    Advertisement(localName: name, service: service, manufacturerData: [:])
  }

  private func device() -> FakeDevice {
    FakeDevice(BoardIdentity(number: 1).address, advertisement("MetaWear"), heard: 1)
  }

  @Test func `Only what changed is told, the signal strength always`() {
    var device = device()
    #expect(device.hear(advertisement("MetaWear"), rssi: -60, as: 2) == ["RSSI": .int16(-60)])
    let changes = device.hear(
      advertisement("MetaBoot", service: MetaMotionAttributes.bootloader), rssi: -60, as: 3)
    #expect(changes["Name"] == .string("MetaBoot") && changes["Alias"] == .string("MetaBoot"))
    #expect(
      changes["UUIDs"]
        == .strings(
          [MetaMotionAttributes.bootloader, MetaMotionAttributes.service].map(\.description).sorted()))
  }

  @Test func `Signal strength is void only once`() {
    var device = device()
    let (first, second) = (device.fallSilent(), device.fallSilent())
    #expect(first && !second)
  }

  @Test func `Services found in discovery take the place of those known before, and are told once`() {
    var device = device()
    let found = [MetaMotionAttributes.bootloader, MetaMotionAttributes.deviceInformation]
    #expect(device.resolve(found)["UUIDs"] == .strings(found.map(\.description).sorted()))
    #expect(device.resolve(found) == ["ServicesResolved": .boolean(true)])
  }

  @Test func `Attributes are ready from resolved until the link goes`() {
    var device = device()
    let call = FakeCall(number: 1)
    let states: [(FakeDevice.Link, isUp: Bool, isReady: Bool)] = [
      (.idle, false, false), (.connecting(call), false, false), (.connected(answering: nil), true, false),
      (.resolved, true, true), (.disconnecting(calls: [], wasResolved: true), true, true),
      (.disconnecting(calls: [], wasResolved: false), true, false),
    ]
    for (link, isUp, isReady) in states {
      device.link = link
      #expect(device.isUp == isUp && device.isReady == isReady)
    }
  }
}
