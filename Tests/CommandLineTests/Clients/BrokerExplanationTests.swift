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

  @Test func `F247 a wrong password and a topic that is refused are told apart`() {
    var settings = UplinkConfiguration()
    settings.username = "viewer"
    let password = BrokerExplanation.explain(.notAuthorised("not authorised"), of: settings)
    let topic = BrokerExplanation.denied(reading: ["metafleet/board/+/info"], of: settings)
    #expect(password.status == .notAllowed && topic.status == .notAllowed)
    #expect(password.message.contains("check --username and --password-file"))
    #expect(!password.message.contains("access list"))
    #expect(
      topic.message
        == "the user viewer may not read metafleet/board/+/info; the broker's access list must grant it")
    settings.username = nil
    let nobody = BrokerExplanation.explain(.notAuthorised("not authorised"), of: settings)
    #expect(nobody.message.contains("lets nobody in without a user name"))
  }
}
