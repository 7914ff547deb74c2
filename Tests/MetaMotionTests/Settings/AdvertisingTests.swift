import FleetModel
import Testing

@testable import MetaMotion

struct AdvertisingTests {
  @Test(
    arguments: [(0, "1102a101b4"), (1, "11029b02b4"), (5, "11029b02b4"), (6, "11029b02b400")]
      as [(UInt8, String)])
  func `units and type depend on the revision`(revision: UInt8, hex: String) {
    let advertising = Advertising(milliseconds: 417, timeoutSeconds: 180, revision: revision)
    #expect(advertising.command(revision: revision) == bytes(hex))
  }

  @Test func `reads back`() throws {
    let advertising = try #require(Advertising(bytes("11829c020000")))
    #expect(advertising.milliseconds(revision: 6) == 417.5)
    #expect(!advertising.isDirected)
    #expect(Advertising(bytes("11829c0200")) == Advertising(intervalSteps: 668))
    #expect(Advertising(bytes("11829c02")) == nil)
  }

  @Test(arguments: [-1, .nan, .infinity, 1e300])
  func `no number traps`(milliseconds: Double) {
    _ = Advertising(milliseconds: milliseconds, revision: 1).command(revision: 1)
  }

  @Test func `long scan responses go in two parts`() {
    let response = bytes("0303d8fe1016d8fe0012006d6269656e746c616200")
    #expect(
      ScanResponse.set(response) == [
        bytes("11080303d8fe1016d8fe0012006d62"), bytes("110769656e746c616200"),
      ])
    #expect(ScanResponse.set(Array(response.prefix(18))).count == 1)
  }

  @Test func `whitelist entries read back`() throws {
    let address = try #require(BluetoothAddress("01:02:03:04:05:06"))
    #expect(Whitelist.set(1, to: address, .public) == bytes("11140100060504030201"))
    let told = try #require(Whitelist.address(bytes("11940100060504030201"), of: 1))
    #expect(told == (address, .public))
    #expect(Whitelist.address(bytes("11940100060504030201"), of: 2) == nil)
  }
}
