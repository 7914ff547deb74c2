import FleetModel
import Testing

@testable import Web

@Suite struct ListenReportTests {
  @Test func `F202 what cannot be had is one sentence with what to do, and where it goes on until then`() {
    let failure = ListenFailure("1.2.3.4:5", "it is taken", advice: "change http.listen")
    let failed = ListenReport(change: .failed(failure, serving: nil))
    #expect(
      failed.trouble
        == "nothing can be served at 1.2.3.4:5: it is taken; change http.listen; it is tried again by itself")
    let serving = ListenReport(change: .failed(failure, serving: .unix("/run/a.sock")))
    #expect(serving.trouble?.hasSuffix(", and requests are answered at unix:/run/a.sock until then") == true)
  }

  @Test func `F202 what serves, and what nobody wants, is no trouble`() {
    #expect(ListenReport(change: .listening(.unix("/a"))).trouble == nil)
    #expect(ListenReport(change: .closed).trouble == nil && ListenReport().trouble == nil)
  }
}
