import Dialects
import FleetModel
import Testing

@testable import Fleet

@Suite struct ConnectionPlanTests {
  private static let delayCases: [(Int, Double)] = [
    (0, 1), (1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 32), (7, 60), (8, 60), (1_000, 60), (.max, 60),
  ]

  @Test(arguments: delayCases)
  func `F61 attempts are 1 s apart at first, 60 s at last, with jitter`(failures: Int, seconds: Double) {
    let least = ConnectionPlan.delay(afterFailures: failures, jitter: 0)
    let most = ConnectionPlan.delay(afterFailures: failures, jitter: 0.999_999)
    #expect(most <= .seconds(seconds) && most >= .seconds(seconds * 0.99))
    #expect(least == .seconds(seconds / 2))
  }

  private var plan = ConnectionPlan(UplinkConfiguration())

  /// A connection that is subscribed and acknowledged after so long, where it is, and ends.
  private mutating func connect(
    at time: Duration = .zero, subscribed: Duration? = .seconds(1), acknowledged: Duration? = .seconds(1),
    lasting span: Duration, _ end: BrokerFailure = .connectionLost("reset")
  ) {
    plan.began()
    plan.opened()
    if let subscribed { plan.subscribed(at: time + subscribed) }
    if let acknowledged { plan.acknowledged(at: time + acknowledged) }
    plan.ended(because: end, at: time + span)
  }

  private var pause: Duration { plan.pause(jitter: 1) }

  @Test mutating func `F250 connections that come up and end at once are waited for ever longer`() {
    let pauses = (1...9).map { _ in
      connect(lasting: .seconds(10))
      return pause
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
  }

  @Test mutating func `F250 only a minute of work makes the next wait a short one`() {
    for _ in 1...4 { connect(lasting: .seconds(2)) }
    connect(lasting: .seconds(60))
    #expect(plan.failures == 5 && pause == .seconds(16))
    connect(lasting: .seconds(61))
    #expect(plan.failures == 1 && pause == .seconds(1))
  }

  @Test(arguments: [true, false])
  func `F250 a connection that is not subscribed, or acknowledges nothing, does not work`(isSubscribed: Bool)
  {
    var suite = self
    suite.connect(lasting: .seconds(1))
    suite.connect(
      subscribed: isSubscribed ? .seconds(1) : nil, acknowledged: isSubscribed ? nil : .seconds(1),
      lasting: .seconds(3_600))
    #expect(suite.pause == .seconds(2))
    suite.connect(
      subscribed: .seconds(isSubscribed ? 1_000 : 1), acknowledged: .seconds(isSubscribed ? 1 : 1_000),
      lasting: .seconds(1_059))
    #expect(suite.pause == .seconds(4))
  }

  @Test mutating func `F70 who is said to have taken our name has it for a minute`() {
    connect(lasting: .seconds(1), .sessionTakenOver)
    #expect(pause == .seconds(60) && !plan.isTakeoverSuspected)
    plan.began()
    plan.ended(because: .unreachable("nobody listens"), at: .zero)
    #expect(pause == .seconds(2))
  }

  @Test
  mutating func `F70 where nobody says so, three ends without a word in a row are taken for it, said once`() {
    var suspected: [Bool] = []
    for _ in 1...5 {
      connect(lasting: .seconds(2), .closedByBroker)
      suspected.append(plan.isTakeoverSuspected)
    }
    #expect(suspected == [false, false, true, false, false])
    #expect(pause == .seconds(60))
    #expect(plan.suspicion(of: "gw").contains("\"metafleet-gw\""))
  }

  private static let otherEnds: [BrokerFailure] = [
    .connectionLost("reset"), .unreachable("nobody listens"), .notAuthorised("password"),
  ]

  @Test(arguments: otherEnds)
  func `F70 a broker that ends otherwise, or is away in between, is not taken for another client`(
    failure: BrokerFailure
  ) {
    var suite = self
    for _ in 1...4 {
      for _ in 1...2 { suite.connect(lasting: .seconds(2), .closedByBroker) }
      suite.plan.began()
      suite.plan.ended(because: failure, at: .zero)
      #expect(!suite.plan.isTakeoverSuspected)
    }
    // Nor one that ends connections that have worked.
    for _ in 1...5 { suite.connect(lasting: .seconds(3_600), .closedByBroker) }
    #expect(!suite.plan.isTakeoverSuspected && suite.pause == .seconds(1))
  }

  @Test mutating func `MQTT 3_1_1 is tried at once where 5 is not spoken, and only if that is allowed`() {
    plan.began()
    plan.ended(because: .unsupportedProtocol, at: .zero)
    #expect(plan.version == .mqtt311 && pause == .zero && plan.failures == 0)
    plan.began()
    plan.ended(because: .unsupportedProtocol, at: .zero)
    #expect(plan.version == .mqtt311 && pause == .seconds(1))
    var configuration = UplinkConfiguration()
    configuration.protocolChoice = .mqtt5
    plan.renew(configuration)
    plan.began()
    plan.ended(because: .unsupportedProtocol, at: .zero)
    #expect(plan.version == .mqtt5 && pause == .seconds(1))
  }

  @Test mutating func `F251 a connection that is wanted anew is tried at once, whatever failed before`() {
    for _ in 1...9 { connect(lasting: .seconds(1), .closedByBroker) }
    plan.began()
    plan.opened()
    var configuration = UplinkConfiguration()
    configuration.protocolChoice = .mqtt311
    plan.renew(configuration)
    plan.ended(because: .closedOnRequest, at: .zero)
    #expect(plan.isRenewal && pause == .zero && plan.failures == 0)
    #expect(plan.version == .mqtt311 && plan.configuration == configuration)
    plan.began()
    plan.ended(because: .notAuthorised("password"), at: .zero)
    #expect(!plan.isRenewal && pause == .seconds(1))
  }
}
