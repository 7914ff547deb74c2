import FleetModel
import Testing

@testable import Fleet

@Suite struct SampleStandingTests {
  @Test("F160 what is lastingly wrong with streams: silence before all else, in their order")
  func troubles() {
    var standing = SampleStanding()
    #expect(standing.troubles == [])
    standing.failures = ["pressure": CommandFailure(.boardError, "no sample came for 5s")]
    standing.rates = [
      "pressure": StatedReason(.sensorSlow, "x"),
      "acceleration": StatedReason(.samplesMissing, "3 were lost"),
    ]
    #expect(
      standing.troubles == [
        StreamTrouble("acceleration", StatedReason(.samplesMissing, "3 were lost")),
        StreamTrouble("pressure", StatedReason(.streamSilent, "no sample came for 5s")),
      ])
  }

  @Test("F160 all troubles are told in one: the gravest gives the code, the sentence names each")
  func told() {
    #expect(StreamTrouble.told([]) == nil)
    let troubles = [
      StreamTrouble("a", StatedReason(.packetsDoubled, "x")),
      StreamTrouble("log/b", StatedReason(.notLogged, "y")),
      StreamTrouble("c", StatedReason(.samplesMissing, "z")),
    ]
    #expect(StreamTrouble.told(troubles) == StatedReason(.notLogged, "log/b: y; c: z; a: x"))
    #expect(Set(StreamTrouble.codes).count == StreamTrouble.codes.count)
  }
}
