import Testing

@testable import FleetModel

@Suite struct FirmwareConfigurationTests {
  @Test func `what the file leaves out has its default`() {
    #expect(FirmwareConfiguration(document: [:]) == FirmwareConfiguration())
    let some = FirmwareConfiguration(document: ["retries": 0, "trust": "lock"])
    #expect(some.retries == 0 && some.trust == .lock)
    #expect(some.receipts == 10 && some.index == FirmwareConfiguration().index)
  }

  @Test func `its keys say all of it`() {
    var configuration = FirmwareConfiguration()
    (configuration.index, configuration.directory, configuration.authorities) = (
      "/mirror", "/cache", "/ca.pem"
    )
    (configuration.trust, configuration.retries, configuration.receipts) = (.lock, 5, 4)
    #expect(FirmwareConfiguration(document: configuration.document) == configuration)
  }
}
