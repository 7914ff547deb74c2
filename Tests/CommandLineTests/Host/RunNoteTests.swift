import FleetModel
import Testing

@testable import metafleet

@Suite struct RunNoteTests {
  private static let time = Timestamp(milliseconds: 1_763_671_234_000)

  private static func note(boot: String? = "b", crashes: Int = 0, status: Int? = nil) -> RunNote {
    var note = RunNote(boot: boot, crashes: crashes)
    note.failure = status.map { RunNote.Failure(status: $0, message: "the disk is gone", time: time) }
    return note
  }

  @Test func `what is written is what is read`() {
    for note in [Self.note(), Self.note(boot: nil, crashes: 7), Self.note(status: 70)] {
      #expect(RunNote(note.bytes) == note)
    }
  }

  @Test(arguments: ["", "{", "[]", #"{"crashes":-3,"boot":5,"status":"x"}"#])
  func `F102 a note that was cut off still tells that there was a run`(text: String) {
    #expect(RunNote(Array(text.utf8)) == RunNote(boot: nil, crashes: 0))
  }

  @Test func `F102 a run that left no note was stopped in order, unless systemd says otherwise`() {
    #expect(RunNote.crash(nil, nil, boot: "b") == nil)
    #expect(RunNote.crash(nil, ServiceResult("1 success exited 0"), boot: "b") == nil)
    let early = RunNote.crash(nil, ServiceResult("1 core-dump dumped SEGV"), boot: "b")
    #expect(early?.cause == .signal && early?.signal == "SIGSEGV" && early?.count == 1)
  }

  @Test func `F102 what the run said itself counts more than its exit status`() {
    let crash = RunNote.crash(
      Self.note(crashes: 2, status: 70), ServiceResult("1 exit-code exited 70"), boot: "b")
    #expect(
      crash
        == CrashReport(.exit, status: 70, message: "the disk is gone", ended: Self.time, count: 3))
  }

  @Test func `F102 without a word of its own systemd tells the signal and the time`() {
    let crash = RunNote.crash(
      Self.note(crashes: 1), ServiceResult("1763671234 signal killed KILL"), boot: "other")
    #expect(crash == CrashReport(.signal, signal: "SIGKILL", ended: Self.time, count: 2))
  }

  @Test func `F102 where nobody says anything, another start of the computer tells that it lost its power`() {
    #expect(RunNote.crash(Self.note(), nil, boot: "other")?.cause == .powerLoss)
    #expect(RunNote.crash(Self.note(), nil, boot: "b")?.cause == .unknown)
    #expect(RunNote.crash(Self.note(boot: nil), nil, boot: "b")?.cause == .unknown)
    #expect(RunNote.crash(Self.note(), nil, boot: nil)?.cause == .unknown)
  }

  @Test func `a count that cannot grow does not trap`() {
    #expect(RunNote.crash(Self.note(crashes: .max), nil, boot: "b")?.count == .max)
  }
}
