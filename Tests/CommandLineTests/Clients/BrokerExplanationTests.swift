import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct BrokerExplanationTests {
  @Test func `a topic that the access list refuses is named, with who may not`() {
    var settings = UplinkConfiguration()
    let topic = "metafleet/board/e5a1c2d3f4b6/cmd/reset"
    let anonymous = BrokerExplanation.denied(publishingOn: topic, of: settings)
    settings.username = "operator"
    let named = BrokerExplanation.denied(publishingOn: topic, of: settings)
    #expect(anonymous.status == .notAllowed && named.status == .notAllowed)
    #expect(anonymous.message.hasPrefix("a client without a user name may not publish on \(topic)"))
    #expect(
      named.message
        == "the user operator may not publish on \(topic); the broker's access list must grant it")
  }
}
