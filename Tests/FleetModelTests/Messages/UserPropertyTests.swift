import FleetModel
import Testing

@Suite struct UserPropertyTests {
  @Test func `F224 a sender is who it says it is, else all that it said, and never endless`() {
    #expect(([] as [UserProperty]).claimedSender == nil)
    #expect(
      [UserProperty("app", "flow"), UserProperty("who", "anna@pi flow")].claimedSender == "anna@pi flow")
    #expect([UserProperty("user", "ada"), UserProperty("app", "flow")].claimedSender == "user=ada app=flow")
    #expect([UserProperty("who", ""), UserProperty("app", "flow")].claimedSender == "who= app=flow")
    let long = [UserProperty("who", String(repeating: "ä", count: 500))].claimedSender
    #expect(long?.unicodeScalars.count == 128)
  }
}
