import Testing

@testable import metafleet

@Suite struct ProgressProofTests {
  /// Whether it is proved when these parts have turned, one after the other.
  private func proved(_ proof: inout ProgressProof, _ parts: ProgressProof.Part...) -> Bool {
    parts.forEach { proof.turn($0) }
    return proof.take()
  }

  @Test(arguments: ProgressProof.Part.allCases)
  func `F98 without any one of the parts nothing is proved, however often the others turn`(
    missing: ProgressProof.Part
  ) {
    var proof = ProgressProof()
    for part in ProgressProof.Part.allCases where part != missing {
      for _ in 1...100 {
        let isProved = proved(&proof, part)
        #expect(!isProved)
      }
    }
    let isProved = proved(&proof, missing)
    #expect(isProved)
  }

  @Test func `F98 each feeding needs a proof of its own`() {
    var proof = ProgressProof()
    let answers = [
      proved(&proof, .ingest, .uplink, .storage), proved(&proof), proved(&proof, .ingest, .storage),
      proved(&proof, .uplink),
    ]
    #expect(answers == [true, false, false, true])
  }
}
