import BoardKit
import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 1.3: where a board stands, and why.
@Suite struct LinkPhaseRuleTests {
  private static func rule(
    _ connection: ConnectionMachine.State = .absent, heard: Duration? = nil,
    _ change: (inout LinkPhaseRule) -> Void = { _ in }
  ) -> LinkPhaseRule {
    var facts = AvailabilityRule.Facts(watchedSince: .zero)
    facts.lastSeen = heard
    var rule = LinkPhaseRule(facts: facts, window: .seconds(60), connection: connection)
    change(&rule)
    return rule
  }

  private func judge(_ rule: LinkPhaseRule) -> String {
    let (phase, reason) = rule.judge(at: .seconds(100))
    return [phase.rawValue, reason?.code.rawValue].compactMap { $0 }.joined(separator: " ")
  }

  @Test func `without a link, the connection says it`() {
    let refused = LinkFailure(.notPermitted, "no")
    #expect(judge(Self.rule()) == "unseen not-heard")
    #expect(judge(Self.rule(heard: .seconds(10))) == "unseen awaiting-advertisement")
    #expect(judge(Self.rule(.waitingForSlot, heard: .seconds(99))) == "waiting-for-slot")
    #expect(judge(Self.rule(.waitingForSlot, heard: .seconds(10))) == "unseen awaiting-advertisement")
    #expect(judge(Self.rule(.connecting)) == "connecting")
    #expect(judge(Self.rule(.radioUnavailable)) == "unseen no-radio")
    #expect(judge(Self.rule(.suspended(until: .seconds(200)), heard: .seconds(99))) == "advertising held")
    let backingOff = ConnectionMachine.State.backingOff(until: .seconds(200), needsAdvertisement: false)
    #expect(
      judge(Self.rule(backingOff, heard: .seconds(99)) { $0.lastFailure = refused })
        == "advertising \(refused.reason.code.rawValue)")
    #expect(
      judge(Self.rule(backingOff, heard: .seconds(99)) { $0.facts.isUnreachable = true }) == "unreachable")
  }

  @Test func `F166 of a board that is not received any more, what was tried last is not the reason`() {
    func failed(_ heard: Duration) -> LinkPhaseRule {
      Self.rule(.absent, heard: heard) { $0.lastFailure = LinkFailure(.linkLost, "lost") }
    }
    #expect(judge(failed(.seconds(99))) == "advertising link-lost")
    #expect(judge(failed(.seconds(10))) == "unseen awaiting-advertisement")
  }

  @Test func `what keeps anybody from connecting comes first`() {
    #expect(judge(Self.rule(.radioUnavailable) { $0.isEnabled = false }) == "unseen disabled")
    #expect(judge(Self.rule { $0.isDrained = true }) == "unseen drained")
    #expect(judge(Self.rule { $0.facts.isBootloader = true }) == "bootloader bootloader")
    #expect(judge(Self.rule { $0.facts.isAsleep = true }) == "unseen asleep")
  }

  @Test func `F165 a board that is not the one that is meant says so in every phase`() {
    let states: [ConnectionMachine.State] = [
      .absent, .waitingForSlot, .connecting, .backingOff(until: .seconds(200), needsAdvertisement: false),
    ]
    for state in states {
      let rule = Self.rule(state, heard: .seconds(99)) {
        $0.facts.mismatch = IdentityMismatch(found: "B", wanted: "A")
      }
      #expect(judge(rule) == "advertising identity-mismatch")
    }
  }

  @Test func `a hold is told also between two contacts, until it is over`() {
    func rule(until: Int64) -> LinkPhaseRule {
      Self.rule(.suspended(until: .seconds(until)), heard: .seconds(99)) { $0.isContactDue = false }
    }
    #expect(judge(rule(until: 200)) == "advertising held")
    #expect(judge(rule(until: 100)) == "advertising")
  }

  @Test func `F221 of a gateway that stopped, nothing is told as if it went on`() {
    let stopped = Self.rule(.connected, heard: .seconds(99)) {
      $0.activity = BoardActivity(streams: ["steps"])
      $0.facts.isAnswering = true
      $0.facts.isStopped = true
    }
    #expect(judge(stopped) == "unseen gateway-stopped")
  }

  @Test func `between two contacts nothing is missing`() {
    #expect(judge(Self.rule(heard: .seconds(99)) { $0.isContactDue = false }) == "advertising")
    #expect(
      judge(
        Self.rule(heard: .seconds(99)) {
          $0.isContactDue = false
          $0.isLogging = true
        }) == "logging")
    #expect(judge(Self.rule(.radioUnavailable) { $0.isContactDue = false }) == "unseen no-radio")
  }

  @Test func `on a link, what the board does says it`() {
    let refusal = StatedReason(.setupBoardError, "steps: no")
    func linked(_ change: (inout LinkPhaseRule) -> Void) -> LinkPhaseRule {
      Self.rule(.connected) {
        $0.activity = BoardActivity()
        $0.facts.isAnswering = true
        $0.refusals = refusal
        change(&$0)
      }
    }
    #expect(judge(linked { $0.facts.isAnswering = false }) == "interviewing")
    #expect(judge(linked { $0.activity?.isDownloading = true }) == "downloading")
    #expect(judge(linked { $0.activity?.streams = ["steps"] }) == "streaming \(refusal.code.rawValue)")
    #expect(judge(linked { $0.refusals = nil }) == "idle")
  }
}
