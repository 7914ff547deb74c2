import FleetModel
import Testing

@testable import Fleet

@Suite struct JoinPermissionTests {
  private func policy(_ mode: AdmissionPolicy.Mode, profile: String? = nil) -> AdmissionPolicy {
    var policy = AdmissionPolicy()
    policy.mode = mode
    policy.profile = profile
    return policy
  }

  @Test func `the file says so at first`() {
    #expect(!JoinPermission(policy(.listed), since: .zero).isOpen(at: .zero))
    #expect(JoinPermission(policy(.open), since: .zero).isOpen(at: .seconds(86_400)))
    let window = JoinPermission(policy(.window), since: .seconds(10))
    #expect(window.isOpen(at: .seconds(129)) && !window.isOpen(at: .seconds(130)))
  }

  @Test func `a window is open for as long as was said and no longer`() {
    var joinPermission = JoinPermission(policy(.listed, profile: "usual"), since: .zero)
    joinPermission.set(.window, for: .seconds(60), profile: nil, at: .seconds(100))
    #expect(joinPermission.isOpen(at: .seconds(159)) && !joinPermission.isOpen(at: .seconds(160)))
    #expect(joinPermission.profile == "usual" && joinPermission.origin == .window)
    joinPermission.set(.open, for: .zero, profile: "wearable", at: .seconds(200))
    #expect(
      joinPermission.isOpen(at: .seconds(100_000)) && joinPermission.profile == "wearable"
        && joinPermission.origin == .open)
    joinPermission.set(.listed, for: .zero, profile: nil, at: .seconds(300))
    #expect(!joinPermission.isOpen(at: .seconds(300)))
  }

  @Test
  func `reading the file again changes the join permission only where the file changed what it says of it`() {
    var joinPermission = JoinPermission(policy(.listed), since: .zero)
    joinPermission.set(.open, for: .zero, profile: nil, at: .seconds(1))
    joinPermission.reloaded(policy(.listed), since: .zero)
    #expect(joinPermission.mode == .open)
    var limited = policy(.listed)
    limited.maximumBoards = 3
    joinPermission.reloaded(limited, since: .zero)
    #expect(joinPermission.mode == .open && joinPermission.policy.maximumBoards == 3)
    joinPermission.reloaded(policy(.listed, profile: "wearable"), since: .zero)
    #expect(joinPermission.mode == .listed && joinPermission.profile == "wearable")
  }
}
