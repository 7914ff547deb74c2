import FleetModel
import Testing

@testable import Fleet

@Suite struct CommandAdmissionTests {
  private func request(
    _ verb: String = "reset", _ arguments: JSONObject = [:], to target: CommandTarget = .board(.number(1)),
    mode: CommandRequest.Mode = .now, expires: Int64 = 30_000
  ) -> CommandRequest {
    CommandRequest(
      id: "a", hasSenderID: true, target: target, verb: verb, arguments: arguments, mode: mode,
      expires: .at(expires),
      issued: nil, arrived: .at(0), payloadHash: 0, responseTopic: nil, correlationData: [])
  }

  private func admission(_ change: (inout CommandLimits) -> Void = { _ in }) -> CommandAdmission {
    var limits = CommandLimits()
    change(&limits)
    return CommandAdmission(limits: limits)
  }

  private func refusal(_ admission: inout CommandAdmission, _ request: CommandRequest, at now: Int64 = 0)
    -> CommandFailure?
  {
    do throws(CommandFailure) {
      _ = try admission.admit(request, at: .at(now))
      return nil
    } catch { return error }
  }

  @Test func aGoodRequestIsAdmittedWithItsMeaning() throws {
    var admission = admission()
    #expect(try admission.admit(request(), at: .at(0)) == .reset)
    #expect(
      try admission.admit(request("scan", to: .gateway("gw")), at: .at(0))
        == .scan(duration: .seconds(10), all: false))
  }

  @Test("F83 an expired request is answered, never run late")
  func expired() {
    var admission = admission()
    #expect(refusal(&admission, request(), at: 29_999) == nil)
    #expect(refusal(&admission, request(), at: 30_000)?.code == .expired)
    #expect(refusal(&admission, request(expires: -60_000))?.message.contains("1m") == true)
  }

  @Test("MQTT contract 6: arguments come before expiry, expiry before room")
  func precedence() {
    var admission = admission { $0.queuePerBoard = 0 }
    #expect(refusal(&admission, request("led", ["colour": 1], expires: -1))?.code == .invalid)
    #expect(refusal(&admission, request(expires: -1))?.code == .expired)
    #expect(refusal(&admission, request())?.code == .busy)
  }

  @Test func gatewaysDoNotQueue() {
    var admission = admission()
    #expect(refusal(&admission, request("reload", to: .gateway("gw"), mode: .queue))?.code == .invalid)
  }

  @Test("F86 a flood for one board is busy for that board alone")
  func fairness() {
    var admission = admission()
    for _ in 1...32 { #expect(refusal(&admission, request()) == nil) }
    let busy = refusal(&admission, request())
    #expect(busy?.code == .busy)
    #expect(busy?.retryAfter.map { $0 > .zero } == true)
    #expect(refusal(&admission, request(to: .board(.number(2)))) == nil)
    #expect(refusal(&admission, request("reload", to: .gateway("gw"))) == nil)
  }

  @Test("F86 all boards together have room for so many")
  func total() {
    var admission = admission { $0.queuePerAdapter = 3 }
    for number in 1...3 { #expect(refusal(&admission, request(to: .board(.number(number)))) == nil) }
    #expect(refusal(&admission, request(to: .board(.number(4))))?.code == .busy)
    #expect(refusal(&admission, request("reload", to: .gateway("gw"))) == nil)
  }

  @Test func whatIsFinishedMakesRoom() {
    var admission = admission {
      $0.queuePerBoard = 1
      $0.queuePerAdapter = 1
    }
    for _ in 1...5 {
      #expect(refusal(&admission, request()) == nil)
      #expect(refusal(&admission, request())?.code == .busy)
      admission.finished(.board(.number(1)))
    }
    admission.finished(.board(.number(1)))
    admission.finished(.board(.number(9)))
    #expect(refusal(&admission, request()) == nil)
    #expect(refusal(&admission, request())?.code == .busy, "finishing twice makes no room twice")
  }

  @Test func whatWasRefusedTakesNoRoom() {
    var admission = admission { $0.queuePerBoard = 1 }
    for _ in 1...5 { _ = refusal(&admission, request("led", ["colour": 1])) }
    for _ in 1...5 { _ = refusal(&admission, request(expires: -1)) }
    #expect(refusal(&admission, request()) == nil)
  }
}

/// MQTT contract 3.1: refusals are limited to ten a second.
@Suite struct RefusalBudgetTests {
  @Test("F84 of a flood ten are answered in any second", arguments: [1, 7, 50, 99, 100])
  func flood(milliseconds: Int) {
    var budget = RefusalBudget()
    var answered: [Duration] = []
    for step in 0..<(5_000 / milliseconds) {
      let now = Duration.milliseconds(step * milliseconds)
      if budget.allows(at: now) { answered.append(now) }
    }
    for start in answered {
      #expect(answered.count { $0 >= start && $0 < start + .seconds(1) } <= 10)
    }
    #expect(answered.count >= 45, "and hardly fewer")
  }

  @Test func whoAsksSeldomIsAlwaysAnswered() {
    var budget = RefusalBudget()
    for second in 0..<100 { #expect(budget.allows(at: .milliseconds(second * 101)) == true) }
  }

  @Test func afterAFloodItRecovers() {
    var budget = RefusalBudget()
    for _ in 0..<1_000 { _ = budget.allows(at: .zero) }
    #expect(budget.allows(at: .milliseconds(999)) == false)
    #expect(budget.allows(at: .seconds(1)) == true)
  }
}
