import Testing

@testable import Simulator

struct BootloaderTraitsTests {
  private func revision(_ text: String) throws -> FirmwareRevision { try #require(FirmwareRevision(text)) }

  @Test func `Boards left the factory with the bootloader that their firmware needs`() throws {
    let traits = BootloaderTraits()
    for model in BoardModel.all {
      let own = try revision(model.firmwareRevision)
      #expect(traits.takes(.application, own, on: traits.revision(on: model)))
    }
    #expect(traits.revision(on: .r).description == "0.3.3" && traits.revision(on: .s).description == "0.5.0")
  }

  @Test func `The newest rule that firmware is not older than counts`() throws {
    let traits = BootloaderTraits()
    #expect(try traits.takes(.application, revision("1.4.3"), on: revision("0.1")))
    #expect(try !traits.takes(.application, revision("1.4.4"), on: revision("0.3.2")))
    #expect(try !traits.takes(.application, revision("2.0.0"), on: revision("0.4")))
    #expect(try traits.takes(.bootloader, revision("0.5"), on: revision("0.4")))
    #expect(try !traits.takes(.softDeviceAndBootloader, revision("0.5"), on: revision("0.3.3")))
    #expect(try traits.takes(.application, nil, on: revision("0.1")))
  }

  @Test func `Flash is erased by whole pages, and two banks have half the room`() {
    var traits = BootloaderTraits()
    #expect(traits.erasing(1) == .milliseconds(85) && traits.erasing(4097) == .milliseconds(170))
    let room = traits.room(on: .s)
    traits.hasOneBank = false
    #expect(traits.room(on: .s) == room / 2 && traits.room(on: .r) < room / 2)
  }

  @Test func `A board is a device by its model number and hardware revision`() {
    #expect(BootloaderTraits.device(of: .r) == .init(type: 5, revision: 4, softDevice: 0xA8))
    #expect(BootloaderTraits.device(of: .s) == .init(type: 8, revision: 1, softDevice: 0xA9))
  }
}
