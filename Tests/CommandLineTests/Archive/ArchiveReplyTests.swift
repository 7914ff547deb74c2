import Testing

@testable import metafleet

@Suite struct ArchiveReplyTests {
  @Test func `an answer reads back`() {
    let refusal = ArchiveReply(CommandLineFailure(.tryLater, "busy"))
    #expect(ArchiveReply(line: refusal.line) == refusal)
    #expect(refusal.status == 75 && refusal.message == "busy")
    #expect(ArchiveReply(line: ArchiveReply(status: 0).line) == ArchiveReply(status: 0))
    #expect(ArchiveReply(line: []) == nil)
    #expect(ArchiveReply(line: Array("{}\n".utf8)) == nil)
  }

  @Test func `the status of the command is ours, and one that nobody knows is explained`() {
    #expect(CommandLineFailure(ended: 64) == CommandLineFailure(.usage, ""))
    #expect(CommandLineFailure(ended: 0) == CommandLineFailure(.ok, ""))
    #expect(CommandLineFailure(ended: 137).status == .internal)
    #expect(CommandLineFailure(ended: 137).message.contains("137"))
  }
}
