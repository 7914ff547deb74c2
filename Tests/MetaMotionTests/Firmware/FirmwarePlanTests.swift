import Testing

@testable import MetaMotion

@Suite struct FirmwarePlanTests {
  private static let index = #"""
    {"0.4": {"5": {
      "vanilla": {
        "1.7.1": {"filename": "firmware.zip"},
        "1.7.2": {"filename": "firmware.zip", "required-bootloader": "0.3.0"},
        "1.7.3": {"filename": "firmware.zip", "required-bootloader": "0.4.0"},
        "1.8.0": {"filename": "firmware.zip", "required-bootloader": "0.9"},
        "2.0.0-beta": {"filename": "firmware.zip", "required-bootloader": "0.4.0"}},
      "bootloader": {
        "0.3.1": {"filename": "bl.zip", "required-bootloader": "0.3.0"},
        "0.3.2": {"filename": "bl.zip", "required-bootloader": "0.3.1"},
        "0.4.0": {"filename": "bl.zip", "required-bootloader": "0.4.0"}},
      "128": {"9.0": {"filename": "firmware.zip"}}}}}
    """#

  private static func plan(
    _ version: String?, installed: String? = "1.7.0", bootloader: String? = nil, flavour: String = "vanilla",
    hardware: String = "r0.4", forced: Bool = false, allowed: Bool = false
  ) throws -> FirmwarePlan {
    var request = FirmwareRequest(
      FirmwareTarget(hardware: hardware, model: "5", flavour: flavour), installed: installed,
      bootloader: bootloader.flatMap { BuildVersion($0) })
    (request.version, request.isForced, request.allowsBootloaders) = (version, forced, allowed)
    return try FirmwarePlan(request, in: try FirmwareCatalogue(Array(index.utf8)))
  }

  private static func refusal(_ plan: () throws -> FirmwarePlan) -> FirmwarePlan.Refusal? {
    do { _ = try plan() } catch { return error as? FirmwarePlan.Refusal }
    return nil
  }

  @Test func `a build that any bootloader takes is one stage`() throws {
    let plan = try Self.plan("1.7.1")
    #expect(plan.stages.map(\.path) == ["0.4/5/vanilla/1.7.1/firmware.zip"])
    #expect(plan.isBootloaderKnown && !plan.hasBootloaders)
  }

  @Test func `the newest is meant where no version is asked for, and previews only by their name`() throws {
    #expect(Self.refusal { try Self.plan(nil, bootloader: "0.3.0") } != nil)
    #expect(try Self.plan(nil).build.version.text == "1.8.0")
    #expect(try Self.plan("2.0.0-beta").build.version.text == "2.0.0-beta")
    #expect(try Self.plan("1.7.1.0").build.version.text == "1.7.1")
  }

  @Test func `D11 the chain of bootloaders is walked forward, and installed only where that is allowed`()
    throws
  {
    let plan = try Self.plan("1.7.3", bootloader: "0.3.1", allowed: true)
    #expect(
      plan.stages.map(\.path) == [
        "0.4/5/bootloader/0.4.0/bl.zip", "0.4/5/vanilla/1.7.3/firmware.zip",
      ])
    #expect(plan.hasBootloaders)
    let refusal = Self.refusal { try Self.plan("1.7.3", bootloader: "0.3.1") }
    #expect(
      refusal?.description
        == "the board needs bootloader 0.4.0 first; allow_bootloader installs them, too")
    #expect(try Self.plan("1.7.3", bootloader: "0.4").stages.count == 1)
  }

  @Test func `D11 no way to a bootloader is a refusal, also a forced one`() {
    let refusal = Self.refusal { try Self.plan("1.8.0", bootloader: "0.4.0", forced: true, allowed: true) }
    #expect(
      refusal?.description == "bootloader 0.9 is needed, and the index lists no way to it from 0.4.0 on")
  }

  @Test func `D11 a bootloader that was never seen is asked before anything is erased`() throws {
    let plan = try Self.plan("1.7.3")
    #expect(!plan.isBootloaderKnown && plan.stages.count == 1)
  }

  @Test(arguments: [("1.7.3", "the board has 1.7.3 already; force installs it again"), ("1.8", "")])
  func `what is installed, or older, only by force`(installed: String, sentence: String) throws {
    let refusal = Self.refusal { try Self.plan("1.7.3", installed: installed, bootloader: "0.4.0") }
    #expect(
      refusal?.description
        == (sentence.isEmpty ? "the board has 1.8, and 1.7.3 is older; force installs it" : sentence))
    #expect(
      try Self.plan("1.7.3", installed: installed, bootloader: "0.4.0", forced: true).build.version.text
        == "1.7.3")
  }

  @Test func `a board in its bootloader has no version that could be newer`() throws {
    #expect(try Self.plan("1.7.1", installed: nil).build.version.text == "1.7.1")
    #expect(Self.refusal { try Self.plan("1.7.1", installed: "new") } == .unreadable(installed: "new"))
  }

  @Test(arguments: [("0.5", "vanilla"), ("0.4", "7"), ("0.4", "bootloader")])
  func `D13 nothing crosses hardware or flavour, not even by force`(hardware: String, flavour: String) {
    let refusal = Self.refusal {
      try Self.plan("1.7.3", flavour: flavour, hardware: hardware, forced: true, allowed: true)
    }
    guard case .unlisted = refusal else {
      Issue.record("not refused: \(String(describing: refusal))")
      return
    }
  }

  @Test func `D13 a version that is not listed is named`() {
    #expect(
      Self.refusal { try Self.plan("1.7.9") }?.description
        == "the index lists no \"1.7.9\" for model number 5 of hardware revision 0.4, flavour vanilla")
  }
}
