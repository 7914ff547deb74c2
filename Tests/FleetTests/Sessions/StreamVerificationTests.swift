import FleetModel
import Testing

@testable import Fleet

@Suite struct StreamVerificationTests {
  @Test func `F160 what is lastingly wrong with streams: silence before all else, in their order`() {
    var verification = StreamVerification()
    #expect(verification.troubles == [])
    verification.failures = ["pressure": CommandFailure(.boardError, "no sample was received for 5s")]
    verification.rates = [
      "pressure": StatedReason(.sensorSlow, "x"),
      "acceleration": StatedReason(.samplesMissing, "3 were lost"),
    ]
    #expect(
      verification.troubles == [
        StreamTrouble("acceleration", StatedReason(.samplesMissing, "3 were lost")),
        StreamTrouble("pressure", StatedReason(.streamSilent, "no sample was received for 5s")),
      ])
  }

  @Test func `F160 all troubles are told in one: the gravest gives the code, the sentence names each`() {
    #expect(StreamTrouble.reason([]) == nil)
    let troubles = [
      StreamTrouble("a", StatedReason(.packetsDoubled, "x")),
      StreamTrouble("log/b", StatedReason(.notLogged, "y")),
      StreamTrouble("c", StatedReason(.samplesMissing, "z")),
    ]
    #expect(StreamTrouble.reason(troubles) == StatedReason(.notLogged, "log/b: y; c: z; a: x"))
    #expect(Set(StreamTrouble.codes).count == StreamTrouble.codes.count)
  }
}
