import BoardKit
import DBus
import Testing

@testable import Simulator

struct DiscoveryFilterTests {
  private let advertisement = Advertisement(
    localName: "MetaWear", service: MetaMotionAttributes.service, manufacturerData: [:])

  private func passes(_ options: [String: DBusValue], rssi: Int = -60) throws -> Bool {
    try DiscoveryFilter(options).passes(advertisement, address: "C0:FF:EE:00:00:01", rssi: rssi)
  }

  @Test func `Services, signal strength, transport and pattern decide`() throws {
    #expect(try passes([:]))
    #expect(try passes(["UUIDs": .strings([MetaMotionAttributes.service.description.uppercased(), "180F"])]))
    #expect(try !passes(["UUIDs": .strings(["0000180f-0000-1000-8000-00805f9b34fb"])]))
    #expect(try passes(["RSSI": .int16(-60)]) && !passes(["RSSI": .int16(-59)]))
    #expect(try passes(["Transport": .string("le")]) && !passes(["Transport": .string("bredr")]))
    #expect(try passes(["Pattern": .string("C0:FF")]) && passes(["Pattern": .string("Meta")]))
    #expect(try !passes(["Pattern": .string("Boot")]))
    #expect(
      try passes(["DuplicateData": .boolean(true), "Discoverable": .boolean(false), "Pathloss": .uint16(9)]))
  }

  @Test(arguments: [
    ["Nonsense": DBusValue.boolean(true)], ["UUIDs": .strings(["xyz"])], ["UUIDs": .string("180F")],
    ["Transport": .string("zigbee")], ["RSSI": .int32(-60)], ["RSSI": .int16(-60), "Pathloss": .uint16(9)],
  ])
  func `What BlueZ does not understand it refuses`(_ options: [String: DBusValue]) {
    #expect(throws: DBusFailure.invalidArguments) { try DiscoveryFilter(options) }
  }
}
