import FleetModel
import Foundation
import Testing

@testable import metafleet

@Suite struct DiagnosticBundleTests {
  @Test func `a bundle can be read by its owner alone`() async throws {
    try await withScratchDirectory { directory in
      let bundle = DiagnosticBundle(stateDirectory: directory.path, configurationFile: nil)
      let path = try await bundle.write(
        [("log.txt", Array("nothing\n".utf8))], at: Timestamp(milliseconds: 1_763_671_000_000))
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      #expect((try Data(contentsOf: URL(fileURLWithPath: path))).count > 20, "tar wrote into the same file")
    }
  }
}
