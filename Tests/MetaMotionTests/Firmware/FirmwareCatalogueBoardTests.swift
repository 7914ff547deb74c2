import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

@Suite struct FirmwareCatalogueBoardTests {
  private static func offer(
    firmware: String, hardware: String = "r0.4", build: UInt8? = 0, in text: String = SampleCatalogue.text
  ) throws -> FirmwareReport.Offer {
    let settings = BoardDescription.Module(
      id: 0x11, isPresent: true, implementation: 0, revision: 9, extra: [0x03] + (build.map { [$0] } ?? []))
    let board = BoardDescription(
      model: "MetaMotion RL", modelNumber: "5", manufacturer: "", serialNumber: "",
      hardwareRevision: hardware,
      firmwareRevision: firmware, imu: nil, modules: [Module.settings.name: settings], slots: .init(),
      streams: [])
    return try SampleCatalogue.catalogue(text).offer(for: board)
  }

  @Test func `a board is offered the newest of its model, hardware and flavour`() throws {
    let offer = try Self.offer(firmware: "1.9.0")
    #expect(offer.latest == "1.10.0" && offer.build == "vanilla" && offer.hardware == "0.4")
    #expect(offer.isHardwareListed && offer.remark == nil)
  }

  @Test func `a board that is up to date is offered what it has`() throws {
    #expect(try Self.offer(firmware: "1.10").latest == "1.10")
  }

  @Test func `a build made to order keeps its flavour, and one without a number is the vendor's`() throws {
    let own = try Self.offer(firmware: "1.0.0", build: 128)
    #expect(own.latest == "9.0.0" && own.build == "128")
    #expect(try Self.offer(firmware: "1.9.0", build: nil).build == "vanilla")
  }

  @Test func `F192 a build whose bootloader is nowhere is offered, and what lacks is said`() throws {
    let text = #"""
      {"0.4": {"5": {"vanilla": {"1.0": {"filename": "a", "required-bootloader": "0.9"}},
        "bootloader": {"0.2": {"filename": "b"}}}}}
      """#
    let offer = try Self.offer(firmware: "0.9", in: text)
    #expect(offer.latest == "1.0")
    #expect(offer.remark == "0.4/5/vanilla/1.0/a requires bootloader 0.9, and the newest listed is 0.2")
    #expect(try Self.offer(firmware: "1.0", in: text).remark == nil)
  }

  @Test func `hardware that is not listed is told`() throws {
    let offer = try Self.offer(firmware: "1.9.0", hardware: "0.9")
    #expect(!offer.isHardwareListed && offer.latest == nil)
    #expect(offer.remark == "the index lists no firmware for hardware revision 0.9")
  }
}
