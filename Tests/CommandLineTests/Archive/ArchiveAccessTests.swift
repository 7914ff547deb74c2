import Testing

@testable import metafleet

@Suite struct ArchiveAccessTests {
  /// What is done, as one word; of a refusal what to do about it.
  private static func way(
    _ files: ArchiveAccess.Files, isNamed: Bool = false, _ socket: ArchiveAccess.Socket
  ) -> String {
    switch ArchiveAccess(files, isNamed: isNamed, socket: socket) {
    case .files: "files"
    case .gateway: "gateway"
    case .refused(let failure): "\(failure.status): \(failure.message)"
    }
  }

  @Test(arguments: [ArchiveAccess.Socket.open, .missing, .forbidden], [false, true])
  func `files that can be read are read`(socket: ArchiveAccess.Socket, isNamed: Bool) {
    #expect(Self.way(.readable, isNamed: isNamed, socket) == "files")
  }

  @Test func `F249 a member of the group reads through the gateway what it may not open, or does not have`() {
    #expect(Self.way(.forbidden, .open) == "gateway")
    #expect(Self.way(.missing, .open) == "gateway")
  }

  @Test func `F249 who may not is told what gives the right, never that there is no archive`() {
    for files in [ArchiveAccess.Files.forbidden, .missing] {
      let text = Self.way(files, .forbidden)
      #expect(text.hasPrefix("notAllowed: ") && text.contains("sudo adduser \"$USER\" metafleet"))
    }
    let text = Self.way(.forbidden, .missing)
    #expect(text.hasPrefix("notAllowed: ") && text.contains("start it"))
  }

  @Test func `a configuration file that was named is about its own archive`() {
    #expect(Self.way(.forbidden, isNamed: true, .open).contains("without --config"))
    #expect(Self.way(.missing, isNamed: true, .open) == "files")
  }

  @Test func `without a service there is no other way than the files`() {
    #expect(Self.way(.missing, .missing) == "files")
  }
}
