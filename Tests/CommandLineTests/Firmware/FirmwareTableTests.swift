import FleetModel
import Testing

@testable import MetaMotion
@testable import metafleet

@Suite struct FirmwareTableTests {
  @Test(arguments: [("0.3.1", "0.3.1"), (nil, "–")] as [(String?, String)])
  func `a build is a row and an object`(bootloader: String?, shown: String) throws {
    let build = FirmwareBuild(
      target: FirmwareTarget(hardware: "0.4", model: "5"), version: try #require(BuildVersion("1.7.3")),
      path: "0.4/5/vanilla/1.7.3/firmware.zip", requiredBootloader: bootloader.flatMap { BuildVersion($0) })
    let rows = FirmwareTable.table(of: [build]).rows.map { $0.map(\.text) }
    #expect(rows == [["0.4", "5", "vanilla", "1.7.3", shown]])
    var object: JSONObject = [
      "hardware": "0.4", "model": "5", "flavour": "vanilla", "version": "1.7.3",
      "file": "0.4/5/vanilla/1.7.3/firmware.zip",
    ]
    object["required_bootloader"] = bootloader.map { .string($0) }
    #expect(FirmwareTable.object(of: build) == object)
  }
}
