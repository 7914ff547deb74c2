import MetaMotion
import Testing

@testable import metafleet

@Suite struct DemoPackageTests {
  @Test(arguments: SampleIndex.packages.map { $0 })
  func `what the gateway reads off a package is what was put in`(path: String, content: [UInt8]) throws {
    let package = try FirmwarePackage(content)
    #expect(package.image.kind == .application && package.image.bytes.count == 24_000)
    let version = path.split(separator: "/")[3]
    #expect(package.image.bytes.starts(with: Array("MetaFleet sample \(version)".utf8)))
  }
}
