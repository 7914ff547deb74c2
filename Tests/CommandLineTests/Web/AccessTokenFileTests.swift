import FleetModel
import Foundation
import Glibc
import Testing
import Web

@testable import metafleet

@Suite struct AccessTokenFileTests {
  private static func named(_ text: String?, mode: mode_t = 0o600) async throws -> AccessToken? {
    try await withScratchDirectory { directory in
      let path = directory.path + "/token"
      var configuration = HTTPConfiguration()
      configuration.tokenFile = path
      if let text {
        try Data(text.utf8).write(to: URL(filePath: path))
        chmod(path, mode)
      }
      return try AccessToken.named(by: configuration)
    }
  }

  @Test func `F238 the first line of the file is the token`() async throws {
    #expect(try await Self.named("0123456789abcdef\nmore\n") == AccessToken(Array("0123456789abcdef".utf8)))
    #expect(try AccessToken.named(by: HTTPConfiguration()) == nil)
  }

  @Test(arguments: [nil, "", "\n", "short\n", "0123456789 abcdef"])
  func `F238 a token that cannot be used is never as if there were none`(text: String?) async {
    let failure = await #expect(throws: CommandLineFailure.self) { try await Self.named(text) }
    #expect(
      failure?.status == .configuration && failure?.message.hasPrefix("the token cannot be used: ") == true)
  }

  @Test func `F238 a token that everybody can read is none`() async {
    let failure = await #expect(throws: CommandLineFailure.self) {
      try await Self.named("0123456789abcdef", mode: 0o644)
    }
    #expect(failure?.status == .configuration)
  }
}
