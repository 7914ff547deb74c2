import Testing

@testable import MetaMotion

@Suite struct FirmwareAdviceTests {
  private static func advice(
    _ installed: String, hardware: String = "r0.4", model: String = "5", flavour: String = "vanilla"
  ) throws -> FirmwareAdvice {
    FirmwareAdvice(
      try SampleCatalogue.catalogue(),
      for: FirmwareTarget(hardware: hardware, model: model, flavour: flavour),
      installed: installed)
  }

  @Test func `an older board is offered the newest build`() throws {
    let newest = try #require(try SampleCatalogue.catalogue().newest(for: SampleCatalogue.board))
    #expect(try Self.advice("1.9.0") == .newer(newest))
    #expect(try Self.advice("1.9.0-rc1") == .newer(newest))
  }

  @Test(arguments: ["1.10.0", "1.10", "2.0.0-beta", "3.0"])
  func `a board with the newest, or a newer one, is offered none`(installed: String) throws {
    #expect(try Self.advice(installed) == .current(newest: try #require(BuildVersion("1.10.0"))))
  }

  @Test func `why nothing can be said`() throws {
    #expect(
      try Self.advice("1.0", hardware: "0.9")
        == .unknown("the index lists no firmware for hardware revision 0.9"))
    #expect(
      try Self.advice("1.0", model: "8")
        == .unknown("the index lists no firmware for model number 8 of hardware revision 0.4"))
    #expect(
      try Self.advice("1.0", flavour: "7")
        == .unknown("the board has a build made to order (7), and the index lists no newer one of it"))
    #expect(
      try Self.advice("newest")
        == .unknown("the board calls its firmware \"newest\", which is no version"))
  }
}
