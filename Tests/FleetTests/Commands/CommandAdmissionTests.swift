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
      issued: nil, arrived: .at(0), payloadHash: 0)
  }

  private func admission(_ change: (inout CommandLimits) -> Void = { _ in }) -> CommandAdmission {
    var limits = CommandLimits()
    change(&limits)
    return CommandAdmission(limits: limits)
  }

  private func refusal(
    _ admission: inout CommandAdmission, _ request: CommandRequest,
    _ status: TargetStatus = TargetStatus(), at now: Int64 = 0
  ) -> CommandFailure? {
    do throws(CommandFailure) {
      _ = try admission.admit(request, status, at: .at(now), uptime: .milliseconds(now))
      return nil
    } catch { return error }
  }

  @Test func `F183 the commands of a batch count as many, and discard fits no group in one either`() throws {
    let batch = request(
      "batch", ["commands": [["verb": "identify"], ["verb": "identify"], ["verb": "identify"]]])
    var admission = admission { $0.perMinute = 4 }
    #expect(refusal(&admission, batch) == nil)
    #expect(refusal(&admission, batch)?.code == .busy)
    #expect(refusal(&admission, request()) == nil, "one is left")
    var small = self.admission { $0.perMinute = 2 }
    #expect(refusal(&small, batch) == nil, "a batch that is more than a minute's worth takes all of it")
    let clear: JSONValue = ["verb": "log-clear", "args": ["confirm": "east", "discard": 3]]
    let job = request("batch", ["commands": [clear]], to: .group("east"))
    #expect(
      refusal(&admission, job, TargetStatus(members: [.number(1): ["east"]]))?.code == .invalid)
  }

  @Test func `a good request is admitted with its meaning`() throws {
    var admission = admission()
    #expect(try admission.admit(request(), at: .at(0), uptime: .zero).intent == .device(.reset))
    #expect(
      try admission.admit(request("scan", to: .gateway("gw")), at: .at(0), uptime: .zero).intent
        == .gateway(.scan(duration: .seconds(10), all: false)))
  }

  @Test func `F83 an expired request is answered, never run late`() {
    var admission = admission()
    #expect(refusal(&admission, request(), at: 29_999) == nil)
    #expect(refusal(&admission, request(), at: 30_000)?.code == .expired)
    #expect(refusal(&admission, request(expires: -60_000))?.message.contains("1m") == true)
  }

  @Test func `MQTT contract 6: arguments come before expiry, expiry before room`() {
    var admission = admission { $0.queuePerBoard = 0 }
    #expect(refusal(&admission, request("led", ["colour": 1], expires: -1))?.code == .invalid)
    #expect(refusal(&admission, request(expires: -1))?.code == .expired)
    #expect(refusal(&admission, request())?.code == .busy)
  }

  @Test func `gateways do not queue`() {
    var admission = admission()
    #expect(refusal(&admission, request("reload", to: .gateway("gw"), mode: .queue))?.code == .invalid)
  }

  @Test func `F86 a flood for one board is busy for that board alone`() {
    var admission = admission()
    for _ in 1...32 { #expect(refusal(&admission, request()) == nil) }
    let busy = refusal(&admission, request())
    #expect(busy?.code == .busy)
    #expect(busy?.retryAfter.map { $0 > .zero } == true)
    #expect(refusal(&admission, request(to: .board(.number(2)))) == nil)
    #expect(refusal(&admission, request("reload", to: .gateway("gw"))) == nil)
  }

  @Test func `F86 all boards together have room for so many`() {
    var admission = admission { $0.queuePerAdapter = 3 }
    for number in 1...3 { #expect(refusal(&admission, request(to: .board(.number(number)))) == nil) }
    #expect(refusal(&admission, request(to: .board(.number(4))))?.code == .busy)
    #expect(refusal(&admission, request("reload", to: .gateway("gw"))) == nil)
  }

  @Test func `what is finished makes room`() throws {
    var admission = admission {
      $0.queuePerBoard = 1
      $0.queuePerAdapter = 1
    }
    for _ in 1...5 {
      let admitted = try admission.admit(request(), at: .at(0), uptime: .zero)
      #expect(refusal(&admission, request())?.code == .busy)
      admission.finished(admitted.place, at: .zero)
      admission.finished(admitted.place, at: .zero)
    }
    #expect(refusal(&admission, request()) == nil)
    #expect(refusal(&admission, request())?.code == .busy, "finishing twice makes no room twice")
  }

  @Test
  func `F86 whoever floods an adapter leaves room on it for others, and none is kept from another adapter`() {
    var admission = admission { $0.queuePerAdapter = 20 }
    let here = TargetStatus(adapter: .number(1))
    for board in 1...4 {
      for _ in 1...50 { _ = refusal(&admission, request(to: .board(.number(board))), here) }
    }
    #expect(refusal(&admission, request(to: .board(.number(1))), here)?.code == .busy)
    #expect(refusal(&admission, request(to: .board(.number(9))), here) == nil)
    let there = TargetStatus(adapter: .number(2))
    for _ in 1...10 { #expect(refusal(&admission, request(to: .board(.number(8))), there) == nil) }
  }

  @Test func `F86 more than so many a minute are busy, which takes no room, and a kept time works`() {
    var admission = admission { $0.perMinute = 2 }
    for _ in 1...2 { #expect(refusal(&admission, request()) == nil) }
    let busy = refusal(&admission, request())
    #expect(busy?.code == .busy && busy?.retryAfter == .seconds(30))
    for _ in 1...100 { _ = refusal(&admission, request()) }
    #expect(refusal(&admission, request(expires: 90_000), at: 30_000) == nil)
  }

  @Test func `F82 what was accepted before a restart is not refused for room or rate`() throws {
    var admission = admission {
      $0.queuePerBoard = 1
      $0.perMinute = 1
    }
    for _ in 1...3 { _ = try admission.admitAgain(request(), at: .at(0), uptime: .zero) }
    #expect(throws: CommandFailure.self) {
      _ = try admission.admitAgain(request(expires: -1), at: .at(0), uptime: .zero)
    }
  }

  private static let unsetCases: [(Bool, CommandFailure.Code?)] = [(true, .expired), (false, nil)]

  @Test(arguments: unsetCases)
  func `F83 a clock that is not set tells no expiry`(isGiven: Bool, code: CommandFailure.Code?) {
    var admission = admission()
    var request = request()
    request.isExpiryGiven = isGiven
    request.expires = Timestamp(milliseconds: 30_000)
    do throws(CommandFailure) {
      _ = try admission.admit(request, at: Timestamp(milliseconds: 5), uptime: .zero)
      #expect(code == nil)
    } catch { #expect(error.code == code) }
  }

  @Test func `a group is judged by its members: denied where nobody may, invalid where it fits nobody`() {
    var admission = admission {
      $0.permissions = CommandPermissions([.init(verbs: ["*"], groups: ["east"])])
    }
    let mixed = TargetStatus(members: [.number(1): ["east"], .number(2): ["west"]])
    let west = TargetStatus(members: [.number(2): ["west"]])
    #expect(refusal(&admission, request(to: .group("g")), mixed) == nil)
    #expect(refusal(&admission, request(to: .group("g")), west)?.code == .denied)
    var job = request(to: .group("g"))
    job.job = ["paralel": 2]
    #expect(refusal(&admission, job, mixed)?.message.contains("paralel") == true)
  }

  @Test func `what was refused takes no room`() {
    var admission = admission { $0.queuePerBoard = 1 }
    for _ in 1...5 { _ = refusal(&admission, request("led", ["colour": 1])) }
    for _ in 1...5 { _ = refusal(&admission, request(expires: -1)) }
    #expect(refusal(&admission, request()) == nil)
  }
}
