import FleetModel
import Testing

@Suite struct HTTPCommandRuleTests {
  private static let dangerous = [
    "raw", "factory-reset", "firmware-update", "firmware-abort", "firmware-rollout", "rollout-resume",
    "bootloader",
  ]

  @Test func `F242 what nobody takes back must be named, whatever a star allows`() {
    for verb in Self.dangerous {
      for verbs in [nil, ["*"], ["led"], []] as [[String]?] {
        #expect(HTTPCommandRule(verbs: verbs).firstRefused(among: ["led", verb]) != nil)
      }
      #expect(HTTPCommandRule(verbs: ["*", verb]).firstRefused(among: ["led", verb]) == nil)
    }
    for verb in Set(VerbCatalogue.all.map(\.name)).subtracting(Self.dangerous) {
      #expect(HTTPCommandRule().firstRefused(among: [verb]) == nil)
    }
    #expect(HTTPCommandRule.named.isSubset(of: VerbCatalogue.all.map(\.name)))
  }

  @Test func `a list names what may be sent, an empty one nothing`() {
    #expect(HTTPCommandRule(verbs: ["led"]).firstRefused(among: ["led", "identify"]) == "identify")
    #expect(HTTPCommandRule(verbs: []).firstRefused(among: ["led"]) == "led")
    #expect(!HTTPCommandRule(verbs: []).allowsAny && HTTPCommandRule().allowsAny)
    #expect(HTTPCommandRule(verbs: ["led"]).allowsAny)
  }
}
