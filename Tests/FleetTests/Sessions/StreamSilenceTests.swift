import FleetModel
import Testing

@testable import Fleet

@Suite struct StreamSilenceTests {
  @Test func `F55 everything is started once more for a silent stream, and not again`() {
    var silence = StreamSilence()
    let first = silence.restart(isAwaited: true)
    #expect(first && silence.isAwaited)
    silence.end()
    let second = silence.restart(isAwaited: true)
    #expect(!second && !silence.isAwaited)
  }

  @Test
  func
    `F107 told silence is a failure of a stream that must deliver, with what is known of a polled one otherwise`()
  {
    var silence = StreamSilence()
    #expect(silence.failure(of: .seconds(5)) == nil)
    silence.isReported = true
    #expect(silence.failure(of: .seconds(5))?.message.contains("no sample was received for 5s") == true)
    #expect(silence.failure(of: nil) == nil)
    let unanswered = CommandFailure(.boardError, "no answer")
    silence.pollFailure = unanswered
    #expect(silence.failure(of: nil) == unanswered)
    silence.end()
    #expect(silence == StreamSilence())
  }
}
