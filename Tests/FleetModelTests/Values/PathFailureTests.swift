import FleetModel
import Testing

@Suite struct PathFailureTests {
  @Test func `path, attempt and reason`() {
    #expect(
      PathFailure.text("/var/x", "read", reason: "Is a directory") == "/var/x cannot be read: Is a directory")
  }

  @Test func `where permission is the matter, the user and a remedy`() {
    #expect(
      PathFailure.text("/var/x", "created", reason: "Permission denied", deniedTo: "ada")
        == "/var/x cannot be created as user ada: Permission denied; try sudo, or change its owner or mode")
  }

  @Test func `F89 a path is shown printable`() {
    #expect(PathFailure.text("/a\u{1B}[2J", "read", reason: "x") == "/a\\u{1B}[2J cannot be read: x")
  }
}
