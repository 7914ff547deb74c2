import FleetModel
import Testing

@testable import Fleet

@Suite struct AdmissionDoorTests {
  private func policy(_ mode: AdmissionPolicy.Mode, profile: String? = nil) -> AdmissionPolicy {
    var policy = AdmissionPolicy()
    policy.mode = mode
    policy.profile = profile
    return policy
  }

  @Test func theFileSaysSoAtFirst() {
    #expect(!AdmissionDoor(policy(.listed), since: .zero).isOpen(at: .zero))
    #expect(AdmissionDoor(policy(.open), since: .zero).isOpen(at: .seconds(86_400)))
    let window = AdmissionDoor(policy(.window), since: .seconds(10))
    #expect(window.isOpen(at: .seconds(129)) && !window.isOpen(at: .seconds(130)))
  }

  @Test func aWindowIsOpenForAsLongAsWasSaidAndNoLonger() {
    var door = AdmissionDoor(policy(.listed, profile: "usual"), since: .zero)
    door.set(.window, for: .seconds(60), profile: nil, at: .seconds(100))
    #expect(door.isOpen(at: .seconds(159)) && !door.isOpen(at: .seconds(160)))
    #expect(door.profile == "usual" && door.origin == .window)
    door.set(.open, for: .zero, profile: "wearable", at: .seconds(200))
    #expect(door.isOpen(at: .seconds(100_000)) && door.profile == "wearable" && door.origin == .open)
    door.set(.listed, for: .zero, profile: nil, at: .seconds(300))
    #expect(!door.isOpen(at: .seconds(300)))
  }

  @Test("reading the file again changes the door only where the file changed what it says of it")
  func reload() {
    var door = AdmissionDoor(policy(.listed), since: .zero)
    door.set(.open, for: .zero, profile: nil, at: .seconds(1))
    door.reloaded(policy(.listed), since: .zero)
    #expect(door.mode == .open)
    door.reloaded(policy(.listed, profile: "wearable"), since: .zero)
    #expect(door.mode == .listed && door.profile == "wearable")
  }
}
