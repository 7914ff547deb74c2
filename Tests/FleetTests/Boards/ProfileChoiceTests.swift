import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 3.4: a chosen profile counts until the configuration names another one.
@Suite struct ProfileChoiceTests {
  private static let profiles = ["calm": Profile(), "wild": Profile()]

  @Test(
    arguments: [
      (nil, "calm", "calm"), (ProfileChoice(name: "wild", replaced: "calm"), "calm", "wild"),
      (ProfileChoice(name: "wild", replaced: nil), nil, "wild"),
      // The file names another one by now.
      (ProfileChoice(name: "wild", replaced: "old"), "calm", "calm"),
      // It is no longer there.
      (ProfileChoice(name: "gone", replaced: "calm"), "calm", "calm"),
    ] as [(ProfileChoice?, String?, String)])
  func `counts`(choice: ProfileChoice?, configured: String?, name: String) {
    #expect(ProfileChoice.name(choice, over: configured, among: Self.profiles) == name)
  }

  @Test func `what is configured anyway is no choice`() {
    #expect(ProfileChoice("calm", insteadOf: "calm") == nil)
    #expect(ProfileChoice("wild", insteadOf: "calm") == ProfileChoice(name: "wild", replaced: "calm"))
  }

  @Test func `comes back from the disk`() {
    for choice in [
      ProfileChoice(name: "wild", replaced: "calm"), ProfileChoice(name: "wild", replaced: nil),
    ] {
      #expect(ProfileChoice(document: choice.document) == choice)
    }
    #expect(ProfileChoice(document: [:]) == nil)
  }
}
