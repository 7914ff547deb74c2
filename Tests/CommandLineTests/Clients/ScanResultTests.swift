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
        ["C0:FF:EE:00:00:09", "x\\u{1B}[2J", "-50 dBm", "–", "no", "–"],
        ["E5:A1:C2:D3:F4:B6", "Pump 3", "-63 dBm", "MetaMotion S", "yes", "g1"],
      ])
  }

  @Test func `without a broker it is not known who is admitted`() throws {
    let rows = try result(all: true).table(nil).rows.map { $0.map(\.text) }
    #expect(rows.map { $0[1] } == ["TV", "x\\u{1B}[2J", "MetaWear"])
    #expect(rows.allSatisfy { $0[4] == "?" })
  }

  @Test func `as JSON with the keys of the gateway's scan`() throws {
    let objects = try result().objects(exampleFleet()).map { JSONText.of(.object($0)) }
    #expect(
      objects.last
        == #"{"board":"e5a1c2d3f4b6","name":"Pump 3","rssi_dbm":-63,"adapter":"00aa01000000","admitted":true,"model":"MetaMotion S","owner":"g1","bootloader":false}"#
    )
  }
}
