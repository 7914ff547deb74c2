import BoardKit
import FleetModel
import MetaMotion
import Testing

@testable import metafleet

@Suite struct ScanResultTests {
  private func report(_ address: String, _ name: String?, _ rssi: Int?, isBoard: Bool = true) throws
    -> AdvertisementReport
  {
    AdvertisementReport(
      board: try #require(BoardID(address)), adapter: try #require(AdapterID("00aa01000000")), name: name,
      rssi: rssi,
      services: isBoard ? MetaMotionFamily.descriptor.advertisedServices.prefix(1).map(\.self) : [],
      time: Timestamp(milliseconds: 0))
  }

  private func result(all: Bool = false) throws -> ScanResult {
    var result = ScanResult(family: MetaMotionFamily.descriptor, isEverything: all)
    result.heard(try report("e5a1c2d3f4b6", "MetaWear", -80))
    result.heard(try report("e5a1c2d3f4b6", nil, -63))
    result.heard(try report("c0ffee000009", "x\u{1B}[2J", -50))
    result.heard(try report("c0ffee00000a", "TV", -30, isBoard: false))
    return result
  }

  @Test func `each board once, strongest first, with what the broker knows`() throws {
    let rows = try result().table(exampleFleet()).rows.map { $0.map(\.text) }
    #expect(
      rows == [
        ["C0:FF:EE:00:00:09", "x\\u{1B}[2J", "-50 dBm", "advertising", "00aa01000000", "–", "no", "–"],
        [
          "E5:A1:C2:D3:F4:B6", "Pump 3", "-63 dBm", "advertising", "00aa01000000", "MetaMotion S", "yes",
          "g1",
        ],
      ])
  }

  @Test func `what is connected here is listed as such, and what was received before is listed, too`() throws
  {
    var result = try result()
    let adapter = try #require(AdapterID("00aa01000001"))
    result.note(AdapterStatus(id: adapter, name: "hci1", state: .up, isDiscovering: true))
    var connected = try report("e5a1c2d3f4b6", "", nil)
    connected.adapter = adapter
    result.found(connected, isConnected: true)
    result.found(try report("c0ffee00000b", "", -70), isConnected: false)
    result.found(try report("c0ffee00000c", "TV", nil, isBoard: false), isConnected: true)
    let rows = result.table(exampleFleet()).rows.map { $0.map(\.text) }
    #expect(rows.count == 3)
    #expect(rows.contains { $0[0] == "C0:FF:EE:00:00:0B" && $0[1] == "–" && $0[3] == "advertising" })
    #expect(rows.contains { $0[1] == "Pump 3" && $0[3] == "connected" && $0[4] == "hci1" })
    let objects = result.objects(nil)
    #expect(objects.count { $0["connected"] == true } == 1)
  }

  @Test func `without a broker it is not known who is admitted`() throws {
    let rows = try result(all: true).table(nil).rows.map { $0.map(\.text) }
    #expect(rows.map { $0[1] } == ["TV", "x\\u{1B}[2J", "MetaWear"])
    #expect(rows.allSatisfy { $0[6] == "?" })
  }

  @Test func `as JSON with the keys of the gateway's scan`() throws {
    let objects = try result().objects(exampleFleet()).map { JSONText.of(.object($0)) }
    #expect(
      objects.last
        == #"{"board":"e5a1c2d3f4b6","name":"Pump 3","rssi_dbm":-63,"adapter":"00aa01000000","connected":false,"admitted":true,"model":"MetaMotion S","owner":"g1","bootloader":false}"#
    )
  }
}
