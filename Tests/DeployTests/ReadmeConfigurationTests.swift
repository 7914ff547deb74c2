import FleetModel
import Foundation
import Testing

@testable import metafleet

@Suite struct ReadmeConfigurationTests {
  private static let readme =
    (try? String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "README.md"), encoding: .utf8)) ?? ""

  @Test func `the configuration in the README is valid and admits a board that streams`() throws {
    let block = try #require(Self.readme.firstMatch(of: /```yaml\n([^`]*)```/))
    let result = ConfigurationReader.read(
      String(block.1), hostName: "gateway",
      files: FileReferences(directory: "/etc/metafleet", credentials: nil) { _ in
        .readable(isWorldReadable: false)
      })
    #expect(result.problems.isEmpty)
    #expect(result.configuration.boards.count == 1)
    let board = try #require(result.configuration.boards.first)
    #expect(board.profile.map { result.configuration.profiles[$0] != nil } == true)
  }
}
