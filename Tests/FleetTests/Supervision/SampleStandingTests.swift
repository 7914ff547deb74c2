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
}
