import BoardKit
import DBus
import EventLoops
import FleetModel
import Support
import Testing

@testable import BlueZ

@Suite struct RecoveryHelperClientTests {
  @Test func `without a helper it is said how to get one`() async throws {
    let loop = try EventLoop(name: "radio")
    defer { loop.stop() }
    try await PrivateBus.with { bus in
      let client = RecoveryHelperClient(address: bus.address, loop: loop)
      let failure = await #expect(throws: LinkFailure.self) { try await client.recover(adapter: nil) }
      #expect(failure?.reason == .notPermitted)
      #expect(failure?.message.contains("metafleet-recovery") == true)
    }
  }

  @Test func `each refusal of the helper has a reason of its own`() {
    func reason(_ failure: DBusFailure) -> LinkFailure.Reason {
      RecoveryHelperClient.meaning(of: failure).reason
    }
    #expect(reason(.error(name: "org.freedesktop.DBus.Error.AccessDenied", text: "")) == .notPermitted)
    #expect(reason(.error(name: "org.metafleet.RecoveryHelper1.Error.TooSoon", text: "wait")) == .other)
    #expect(reason(.timedOut(after: .seconds(60))) == .timedOut)
    #expect(reason(.disconnected("closed")) == .serviceGone)
  }
}
