import FleetModel
import Testing

@Suite struct CrashReportTests {
  @Test(arguments: CrashReport.Cause.allCases)
  func `F102 every cause is a sentence that begins alike`(cause: CrashReport.Cause) {
    let sentence = CrashReport(cause).sentence
    #expect(sentence.hasPrefix("the last run of the gateway ") && !sentence.hasSuffix("."))
  }

  @Test func `F102 the sentence names the signal, or the status and what was said, and how often`() {
    #expect(
      CrashReport(.signal, signal: "SIGSEGV").sentence == "the last run of the gateway was ended by SIGSEGV")
    #expect(
      CrashReport(.exit, status: 70, message: "the database failed", count: 4).sentence
        == "the last run of the gateway ended with exit status 70: the database failed; it is number 4 in a row that nobody stopped"
    )
  }
}
