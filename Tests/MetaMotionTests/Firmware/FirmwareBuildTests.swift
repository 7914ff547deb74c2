import Testing

@testable import MetaMotion

@Suite struct FirmwareBuildTests {
  @Test(arguments: ["0.4", "r0.4", "R0.4", " r0.4 "])
  func `a hardware revision is the same with and without its letter`(text: String) {
    #expect(FirmwareTarget(hardware: text, model: "5") == FirmwareTarget(hardware: "0.4", model: "5"))
  }

  @Test func `nothing is for another flavour`() {
    let board = FirmwareTarget(hardware: "0.4", model: "5")
    #expect(board.flavour == "vanilla")
    #expect(board != FirmwareTarget(hardware: "0.4", model: "5", flavour: "128"))
    #expect(board.ofBootloader.flavour == "bootloader")
  }
}
