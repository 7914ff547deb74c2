import FleetModel
import Testing

@testable import metafleet

@Suite struct ServiceResultTests {
  /// What systemd.exec(5) says of the three variables.
  private static let table: [(String, CrashReport.Cause, String?, Int?)] = [
    ("core-dump dumped SEGV", .signal, "SIGSEGV", nil), ("signal killed KILL", .signal, "SIGKILL", nil),
    ("exit-code exited 70", .exit, nil, 70), ("timeout killed KILL", .timeout, "SIGKILL", nil),
    ("watchdog dumped ABRT", .timeout, "SIGABRT", nil),
    ("oom-kill killed KILL", .outOfMemory, "SIGKILL", nil),
    ("resources", .unknown, nil, nil), ("protocol exited 0", .exit, nil, 0),
  ]

  @Test(arguments: table)
  func `F102 what systemd says is what ended it`(
    words: String, cause: CrashReport.Cause, signal: String?, status: Int?
  ) throws {
    let result = try #require(ServiceResult("1763671234 \(words)\n"))
    #expect(result.cause == cause && result.signal == signal && result.exitStatus == status)
    #expect(result.ended == Timestamp(milliseconds: 1_763_671_234_000) && !result.isSuccess)
  }

  @Test func `a clean stop is a success`() {
    #expect(ServiceResult("1763671234 success exited 0\n")?.isSuccess == true)
  }

  @Test(arguments: ["", "1763671234", " \n"])
  func `what is no such line says nothing`(text: String) { #expect(ServiceResult(text) == nil) }

  @Test func `a time that is none is not known`() {
    #expect(ServiceResult("now signal killed TERM")?.ended == nil)
    #expect(ServiceResult("99999999999999999 signal killed TERM") != nil)
  }
}
