import FleetModel
import Simulator
import Testing

@testable import metafleet

@Suite struct StimulusListingTests {
  private static func listed(_ rule: HTTPCommandRule, areSimulated: Bool) -> [JSONObject] {
    (VerbListing.objects(over: rule, areSimulated: areSimulated).array ?? []).compactMap(\.object)
      .filter { $0["for"]?.string == "simulator" }
  }

  @Test
  func `F298 what can be done to simulated boards is listed where boards are simulated, and nowhere else`() {
    let rule = HTTPCommandRule(verbs: ["*", "raw"])
    #expect(Self.listed(rule, areSimulated: false) == [])
    #expect(
      Self.listed(rule, areSimulated: true).map { $0["verb"]?.string }
        == StimulusVerb.allCases.map(\.rawValue)
    )
  }

  @Test func `F298 where nothing may be sent over HTTP, nothing is offered`() {
    let off = Self.listed(HTTPCommandRule(verbs: []), areSimulated: true)
    let on = Self.listed(HTTPCommandRule(), areSimulated: true)
    #expect(off.allSatisfy { $0["http"] == false } && on.allSatisfy { $0["http"] == true })
    #expect(!off.isEmpty && off.count == on.count)
  }

  @Test func `each has what a form needs, in the order of a line`() {
    let all = Self.listed(HTTPCommandRule(), areSimulated: true)
    let walk = all.first { $0["verb"] == "walk" }
    let arguments = walk?["schema"]?.object?["$defs"]?.object?["args"]?.object
    #expect(arguments?["properties"]?.object?.members.map { $0.key } == ["steps", "interval"])
    #expect(arguments?["properties"]?.object?["steps"]?.object?["default"] == 10)
    #expect(arguments?["required"] == nil)
    #expect(all.first { $0["verb"] == "light" }?["stream"] == "illuminance")
  }

  @Test func `none is called like a verb, so that neither hides the other`() {
    #expect(Set(StimulusVerb.allCases.map(\.rawValue)).isDisjoint(with: VerbCatalogue.all.map(\.name)))
  }

  @Test func `the streams that tell of them are in the catalogue`() {
    let known = Set(StreamCatalogue.all.map(\.name))
    #expect(known.isSuperset(of: StimulusVerb.allCases.compactMap(\.stream)))
  }
}
