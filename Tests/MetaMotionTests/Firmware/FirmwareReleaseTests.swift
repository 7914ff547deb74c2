import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite struct FirmwareReleaseTests {
  private static let index = #"""
    {"0.4": {"5": {
      "vanilla": {
        "1.7.1": {"filename": "firmware.zip"},
        "1.7.3": {"filename": "firmware.zip", "required-bootloader": "0.4.0"}},
      "bootloader": {
        "0.3.1": {"filename": "bl.zip", "required-bootloader": "0.3.0"},
        "0.4.0": {"filename": "bl.zip", "required-bootloader": "0.4.0"}}}}}
    """#

  private static func request(
    _ version: String, bootloader: String? = nil, allowed: Bool = true, hardware: String = "0.4"
  ) -> FirmwareRequest {
    var request = FirmwareRequest(
      FirmwareTarget(hardware: hardware, model: "5"), installed: "1.7.0",
      bootloader: bootloader.flatMap { BuildVersion($0) })
    (request.version, request.allowsBootloaders) = (version, allowed)
    return request
  }

  private static func catalogue() throws -> FirmwareCatalogue { try FirmwareCatalogue(Array(index.utf8)) }

  /// With packages whose images are as long as the number of their place, in words.
  private static func release(_ request: FirmwareRequest, swapped: Bool = false) throws -> FirmwareRelease {
    var packages: [String: FirmwarePackage] = [:]
    for (place, build) in try FirmwareRelease.builds(request, in: catalogue()).enumerated() {
      let isBootloader = build.target.flavour == "bootloader"
      packages[build.path] = try FirmwarePackage(
        SamplePackage(
          image: Array(repeating: 1, count: 4 * (place + 1)),
          part: isBootloader == swapped ? "application" : "bootloader"
        ).bytes)
    }
    return try FirmwareRelease(request, in: catalogue(), packages: packages)
  }

  private static func board(
    _ bootloader: String, hardware: String = "r0.4", model: String = "5"
  ) -> BootloaderDescription {
    BootloaderDescription(
      serialNumber: "1", modelNumber: model, hardwareRevision: hardware, version: bootloader)
  }

  private static func images(
    _ release: FirmwareRelease, _ board: BootloaderDescription
  ) throws -> [String] {
    try release.images(for: board).map { "\($0.version) \($0.isApplication) \($0.size)" }
  }

  @Test func `what any bootloader takes is one file`() throws {
    #expect(
      try FirmwareRelease.builds(Self.request("1.7.1"), in: Self.catalogue()).map(\.version.text) == ["1.7.1"]
    )
    let release = try Self.release(Self.request("1.7.1"))
    #expect(release.version == "1.7.1" && release.sum.count == 64)
    #expect(try Self.images(release, Self.board("0.2.1")) == ["1.7.1 true 4"])
  }

  @Test func `D11 all bootloaders that may be needed are at hand, and the one that answers says which are`()
    throws
  {
    let request = Self.request("1.7.3")
    #expect(
      try FirmwareRelease.builds(request, in: Self.catalogue()).map(\.version.text)
        == ["0.3.1", "0.4.0", "1.7.3"])
    let release = try Self.release(request)
    #expect(try Self.images(release, Self.board("0.4.0")) == ["1.7.3 true 12"])
    #expect(try Self.images(release, Self.board("0.3.0")) == ["0.4.0 false 8", "1.7.3 true 12"])
  }

  @Test func `D11 a board that is known to have the bootloader needs none, and one that lied is refused`()
    throws
  {
    let release = try Self.release(Self.request("1.7.3", bootloader: "0.4.0"))
    #expect(try Self.images(release, Self.board("0.4.0")).count == 1)
    let failure = #expect(throws: CommandFailure.self) { try Self.images(release, Self.board("0.3.1")) }
    #expect(failure?.code == .unsupported)
  }

  @Test
  func `D11 D12 bootloaders that are not allowed are refused, before the board is touched where it is known`()
    throws
  {
    let known = #expect(throws: CommandFailure.self) {
      try FirmwareRelease.builds(
        Self.request("1.7.3", bootloader: "0.3.1", allowed: false), in: Self.catalogue())
    }
    #expect(known?.code == .unsupported && known?.message.contains("allow_bootloader") == true)
    let release = try Self.release(Self.request("1.7.3", allowed: false))
    let seen = #expect(throws: CommandFailure.self) { try Self.images(release, Self.board("0.3.1")) }
    #expect(seen?.code == .unsupported && seen?.message.contains("allow_bootloader") == true)
    let unnamed = #expect(throws: CommandFailure.self) { try Self.images(release, Self.board("new")) }
    #expect(unnamed?.code == .unsupported)
  }

  @Test(arguments: [("0.5", "5"), ("0.4", "8")])
  func `D13 a board of another model or hardware revision gets nothing, whoever it claims to be`(
    hardware: String, model: String
  ) throws {
    let release = try Self.release(Self.request("1.7.1"))
    let failure = #expect(throws: CommandFailure.self) {
      try Self.images(release, Self.board("0.4.0", hardware: hardware, model: model))
    }
    #expect(failure?.code == .invalid)
  }

  @Test func `D13 a package with another kind of image than the index says is refused`() {
    for version in ["1.7.1", "1.7.3"] {
      let failure = #expect(throws: CommandFailure.self) {
        try Self.release(Self.request(version), swapped: true)
      }
      #expect(failure?.code == .invalid)
    }
  }

  @Test func `D13 what is not listed is refused`() {
    let failure = #expect(throws: CommandFailure.self) {
      try FirmwareRelease.builds(Self.request("1.7.1", hardware: "0.9"), in: Self.catalogue())
    }
    #expect(failure?.code == .invalid)
  }

  @Test func `a file of one's own is named with its version, and is firmware`() throws {
    let package = try FirmwarePackage(SamplePackage(image: [1, 2, 3, 4]).bytes)
    let file = try FirmwareFile(package, name: "own.zip", version: "9.0")
    #expect(file.version == "9.0" && file.sum == package.digest)
    #expect(try file.images(for: Self.board("0.1")).map(\.size) == [4])
    #expect(throws: CommandFailure.self) { try FirmwareFile(package, name: "own.zip", version: nil) }
    let bootloader = try FirmwarePackage(SamplePackage(image: [1, 2, 3, 4], part: "bootloader").bytes)
    #expect(throws: CommandFailure.self) { try FirmwareFile(bootloader, name: "own.zip", version: "9.0") }
  }
}
