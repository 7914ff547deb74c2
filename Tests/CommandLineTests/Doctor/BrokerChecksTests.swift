import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct BrokerChecksTests {
  private static let now = Timestamp(milliseconds: 1_763_671_000_000)

  /// A broker at which nothing is wrong, and a gateway that runs.
  private static let whole: BrokerFacts = {
    var settings = UplinkConfiguration()
    settings.username = "gateway"
    var facts = BrokerFacts(
      settings: settings, gateway: "g1", version: "1.0.0", now: now, isRoot: true)
    facts.isConnected = true
    facts.topics = [.init(topic: "metafleet/board/000000000000/state", isRead: false, fact: .granted)]
    facts.fleet = fleet([
      "gateway/g1/availability": #"{"state":"online","birth":1}"#, "gateway/g1/info": #"{"version":"1.0.0"}"#,
    ])
    return facts
  }()

  private static func fleet(_ documents: [String: String]) -> FleetView {
    var fleet = FleetView(base: "metafleet", scope: .everything)
    for (topic, text) in documents { fleet.apply(topic: "metafleet/\(topic)", payload: Array(text.utf8)) }
    return fleet
  }

  private func judge(_ change: (inout BrokerFacts) -> Void) -> [Diagnosis] {
    var facts = Self.whole
    change(&facts)
    return BrokerChecks.judge(facts)
  }

  private func judge(_ check: Diagnosis.Check, _ change: (inout BrokerFacts) -> Void) throws -> Diagnosis {
    try #require(judge(change).first { $0.check == check })
  }

  @Test func `F244 nothing is wrong with a whole broker`() {
    let diagnoses = judge { _ in }
    #expect(diagnoses.allSatisfy { $0.verdict == .ok && $0.fix == nil }, "\(diagnoses)")
    #expect(diagnoses.count == 7)
  }

  @Test(
    arguments: [
      (.unreachable("Name or service not known"), .name), (.unreachable("Connection refused"), .port),
      (.insecure("the broker's certificate is not trusted"), .tls),
      (.connectionLost("the broker closed it"), .tls),
      (.notAuthorised("Not authorized"), .login), (.sessionTakenOver, .login),
    ] as [(BrokerFailure, Diagnosis.Check)])
  func `F244 the first stage that fails is broken, those before it are fine, those behind it unknown`(
    _ failure: BrokerFailure, _ check: Diagnosis.Check
  ) throws {
    let diagnoses = judge { ($0.failure, $0.isConnected) = (failure, false) }
    let index = try #require(diagnoses.firstIndex { $0.check == check })
    #expect(diagnoses[index].verdict == .broken && diagnoses[index].fix != nil)
    #expect(diagnoses[..<index].allSatisfy { $0.verdict == .ok })
    #expect(diagnoses[(index + 1)...].allSatisfy { $0.verdict == .unchecked })
  }

  @Test func `F247 a wrong password says so, and nothing of topics`() throws {
    let login = try judge(.login) { ($0.failure, $0.isConnected) = (.notAuthorised("Not authorized"), false) }
    #expect(login.text.contains("does not know the user gateway, or refuses the password"))
    let nameless = try judge(.login) {
      ($0.failure, $0.isConnected, $0.settings.username) = (.notAuthorised("Not authorized"), false, nil)
    }
    #expect(nameless.fix == "Set mqtt.username and mqtt.password_file")
  }

  @Test func `F244 a password that only the service can read cannot be checked`() {
    for (isRoot, verdict) in [(true, Diagnosis.Verdict.broken), (false, .unchecked)] {
      let diagnoses = judge {
        ($0.passwordFailure, $0.isRoot, $0.isConnected) = ("it cannot be read", isRoot, false)
      }
      #expect(diagnoses.first { $0.check == .login }?.verdict == verdict)
      #expect(diagnoses.first?.verdict == .unchecked, "no connection was tried")
    }
  }

  @Test func `F244 F247 topics that are refused are named, with what is wanted of them`() throws {
    let topics = try judge(.topics) {
      $0.topics += [
        .init(topic: "metafleet/board/000000000000/record/doctor", isRead: false, fact: .refused),
        .init(topic: "metafleet/board/+/cmd/#", isRead: true, fact: .refused),
      ]
    }
    #expect(topics.verdict == .broken)
    #expect(
      topics.text
        == "the broker's access list does not let the user gateway publish on metafleet/board/000000000000/record/doctor, read metafleet/board/+/cmd/#"
    )
    #expect(try judge(.topics) { $0.topics = [] }.verdict == .unchecked)
    #expect(
      try judge(.topics) { $0.topics = [.init(topic: "a", isRead: false, fact: .unknown)] }.verdict
        == .unchecked)
  }

  @Test func `F244 what is left over on the broker is told with the command that clears it`() throws {
    let command = try judge(.retained) { $0.retainedCommands = ["metafleet/board/e5a1c2d3f4b6/cmd/led"] }
    #expect(
      command.verdict == .warning
        && command.fix == "mosquitto_pub -r -n -t 'metafleet/board/e5a1c2d3f4b6/cmd/led'")
    func gone(since: Int64) throws -> Diagnosis {
      try judge(.retained) {
        $0.fleet = Self.fleet([
          "gateway/g2/availability": #"{"state":"offline","birth":1,"since_ms":\#(since)}"#
        ])
      }
    }
    let old = try gone(since: Self.now.milliseconds - 8 * 86_400_000)
    #expect(old.verdict == .warning && old.fix?.contains("metafleet forget gateway:g2 --gone") == true)
    #expect(try gone(since: Self.now.milliseconds - 3_600_000).verdict == .ok, "it may be restarting")
  }

  @Test(
    arguments: [
      ([:], .warning, "is not running"),
      (["info": #"{"version":"0.9.0"}"#], .warning, "runs version 0.9.0"),
      (["info": #"{"version":"1.0.0","config_error":"line 3"}"#], .warning, "earlier configuration: line 3"),
      (
        ["info": #"{"version":"1.0.0","refused_topics":["metafleet/a","metafleet/b"]}"#], .broken,
        "and 1 more"
      ),
    ] as [([String: String], Diagnosis.Verdict, String)])
  func `F244 how the gateway is comes from its own documents`(
    _ documents: [String: String], _ verdict: Diagnosis.Verdict, _ words: String
  ) throws {
    var all = Dictionary(uniqueKeysWithValues: documents.map { ("gateway/g1/\($0.key)", $0.value) })
    if !documents.isEmpty { all["gateway/g1/availability"] = #"{"state":"online","birth":1}"# }
    let fleet = Self.fleet(all)
    let gateway = try judge(.gateway) { $0.fleet = fleet }
    #expect(gateway.verdict == verdict && gateway.text.contains(words), "\(gateway)")
  }

  @Test func `before there is a configuration the gateway cannot be checked`() throws {
    #expect(try judge(.gateway) { $0.gateway = nil }.verdict == .unchecked)
  }
}
