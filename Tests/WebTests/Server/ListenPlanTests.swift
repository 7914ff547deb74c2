import FleetModel
import Testing

@testable import Web

@Suite struct ListenPlanTests {
  private typealias Change = (inout HTTPConfiguration) -> Void

  private static func configuration(
    _ listen: ListenAddress?, _ change: Change = { _ in }
  ) -> HTTPConfiguration {
    var configuration = HTTPConfiguration()
    configuration.listen = listen
    change(&configuration)
    return configuration
  }

  private static let here = ListenAddress.internet("127.0.0.1", port: 9_464)
  private static let there = ListenAddress.internet("192.0.2.1", port: 9_464)

  /// One that serves at `address`.
  private static func serving(_ address: ListenAddress, _ change: Change = { _ in }) -> ListenPlan {
    var plan = ListenPlan(configuration(address, change))
    plan.succeeded(at: address)
    return plan
  }

  private static func step(from old: ListenAddress, to new: ListenAddress) -> ListenPlan.Step {
    var plan = serving(old)
    plan.want(configuration(new))
    return plan.step(at: .zero)
  }

  @Test func `F202 a place is opened, kept while it is wanted, and closed`() {
    var plan = ListenPlan(Self.configuration(Self.here))
    #expect(plan.step(at: .zero) == .open(Self.here))
    plan.succeeded(at: Self.here)
    #expect(plan.step(at: .zero) == .rest && plan.serving == plan.wanted)
    plan.want(Self.configuration(nil))
    #expect(plan.step(at: .zero) == .close)
    plan.succeeded(at: nil)
    #expect(plan.step(at: .zero) == .rest && plan.serving == nil)
  }

  @Test func `F202 who may ask changes without another place`() {
    for change in [{ $0.hosts = ["gateway"] }, { $0.audience = .open }, { $0.socketMode = "0600" }]
      as [Change]
    {
      var plan = Self.serving(Self.here)
      plan.want(Self.configuration(Self.here, change))
      #expect(plan.step(at: .zero) == .adjust)
      plan.succeeded(at: Self.here)
      #expect(plan.step(at: .zero) == .rest)
    }
  }

  @Test func `F202 another place is opened beside the old one, unless that is in its way`() {
    let everywhere = ListenAddress.internet("0.0.0.0", port: 9_464)
    for (old, new) in [
      (Self.here, Self.there), (Self.here, .internet("127.0.0.1", port: 9_465)), (Self.here, .unix("/a")),
      (.unix("/a"), .unix("/b")), (everywhere, .internet("::1", port: 9_464)),
      (.internet("127.0.0.1", port: 0), .internet("0.0.0.0", port: 0)),
    ] as [(ListenAddress, ListenAddress)] {
      #expect(Self.step(from: old, to: new) == .open(new), "\(old) to \(new)")
    }
    for (old, new) in [
      (Self.here, everywhere), (everywhere, Self.there),
      (.internet("::1", port: 80), .internet("0::1", port: 80)),
    ] as [(ListenAddress, ListenAddress)] {
      #expect(Self.step(from: old, to: new) == .replace(new), "\(old) to \(new)")
    }
  }

  @Test func `F202 what cannot be had is tried less and less often, and what was served counts on`() {
    var plan = Self.serving(Self.here)
    plan.want(Self.configuration(Self.there) { $0.audience = .open })
    var (now, pauses) = (Duration.zero, [Duration]())
    for _ in 0..<9 {
      #expect(plan.step(at: now) == .open(Self.there))
      plan.failed(at: now, servesOn: true)
      guard case .wait(let pause) = plan.step(at: now) else { break }
      pauses.append(pause)
      now += pause
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    #expect(plan.serving == Self.configuration(Self.here))
    plan.failed(at: now, servesOn: false)
    #expect(plan.serving == nil)
  }

  @Test func `F202 a reload tries at once, and the way back is no work`() {
    var plan = Self.serving(Self.here)
    plan.want(Self.configuration(Self.there))
    plan.failed(at: .zero, servesOn: true)
    plan.want(Self.configuration(Self.there))
    #expect(plan.step(at: .zero) == .open(Self.there))
    plan.failed(at: .zero, servesOn: true)
    plan.want(Self.configuration(Self.here))
    #expect(plan.step(at: .zero) == .rest)
  }
}
