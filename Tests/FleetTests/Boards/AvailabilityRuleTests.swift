import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 1.2.
@Suite struct AvailabilityRuleTests {
  private let rule = AvailabilityRule(window: .seconds(60))

  private func facts(_ change: (inout AvailabilityRule.Facts) -> Void) -> AvailabilityRule.Facts {
    var facts = AvailabilityRule.Facts(watchedSince: .zero)
    change(&facts)
    return facts
  }

  private func judge(
    at now: Duration = .seconds(100), _ change: (inout AvailabilityRule.Facts) -> Void
  ) -> Availability.Reason {
    rule.judge(facts(change), at: now).reason
  }

  @Test func `a freshly watched board is neither there nor not`() {
    let facts = facts { _ in }
    #expect(rule.judge(facts, at: .seconds(59)).reason == .starting)
    #expect(rule.judge(facts, at: .seconds(59)).until == .seconds(60))
    #expect(rule.judge(facts, at: .seconds(60)).reason == .silent)
    #expect(rule.judge(facts, at: .seconds(60)).until == nil)
  }

  @Test func `an advertisement counts for the window`() {
    let facts = facts { $0.lastSeen = .seconds(50) }
    #expect(rule.judge(facts, at: .seconds(100)).reason == .advertising)
    #expect(rule.judge(facts, at: .seconds(100)).until == .seconds(110))
    #expect(rule.judge(facts, at: .seconds(110)).reason == .silent)
  }

  @Test func `to hear a board again that is known to be there is no draft`() {
    let known = facts { $0.lastSeen = .seconds(50) }
    func isChange(at now: Duration, after before: AvailabilityRule.Facts, isBootloader: Bool = false) -> Bool
    {
      var heard = before
      (heard.lastSeen, heard.isBootloader) = (now, isBootloader)
      return rule.isChange(heard, after: before, at: now)
    }
    #expect(!isChange(at: .seconds(109), after: known))
    #expect(isChange(at: .seconds(110), after: known))
    #expect(isChange(at: .seconds(51), after: known, isBootloader: true))
    #expect(isChange(at: .seconds(51), after: facts { _ in }))
  }

  @Test func `a session counts for the window`() {
    let facts = facts {
      $0.lastSeen = .seconds(50)
      $0.lastSession = .seconds(50)
    }
    #expect(rule.judge(facts, at: .seconds(109)).reason == .visited)
    #expect(rule.judge(facts, at: .seconds(110)).reason == .silent)
  }

  @Test func `an advertisement after the session keeps it online`() {
    let reason = judge(at: .seconds(130)) {
      $0.lastSession = .seconds(50)
      $0.lastSeen = .seconds(100)
    }
    #expect(reason == .advertising)
  }

  @Test func `only a link on which a request was answered is connected`() {
    #expect(judge { $0.isAnswering = true } == .connected)
    #expect(judge { $0.isAnswering = false } == .silent)
  }

  @Test func `F165 a board that is not the one that is meant is offline, though it advertises`() {
    let reason = judge {
      $0.mismatch = IdentityMismatch(found: "B", wanted: "A")
      $0.lastSession = .seconds(99)
      $0.lastSeen = .seconds(99)
    }
    #expect(reason == .identityMismatch)
  }

  @Test func `what is known to be wrong comes before what was heard`() {
    #expect(judge { $0.isUnreachable = true } == .connectFailed)
    #expect(
      judge {
        $0.isBootloader = true
        $0.isUnreachable = true
        $0.lastSeen = .seconds(99)
      } == .bootloader)
    #expect(
      judge {
        $0.radioTrouble = .busLost
        $0.isUnreachable = true
        $0.lastSeen = .seconds(99)
      } == .busLost)
    #expect(
      judge {
        $0.isStopped = true
        $0.radioTrouble = .noAdapter
        $0.isAnswering = true
      } == .gatewayStopped)
  }

  @Test(arguments: [Availability.Reason.busLost, .noAdapter])
  func `F10 without a radio nobody can tell`(reason: Availability.Reason) {
    #expect(judge { $0.radioTrouble = reason } == reason)
    #expect(reason.state == .unknown)
  }
}
