import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct TopicProbeTests {
  private let probe = TopicProbe(base: "metafleet", gateway: "g1", homeAssistant: nil)

  @Test func `F244 one topic of each kind is tried, of a board that does not exist`() {
    #expect(probe.published.contains("metafleet/board/000000000000/record/doctor"))
    #expect(probe.published.contains("metafleet/gateway/g1/adapter/000000000000"))
    #expect(!probe.published.contains { $0.hasPrefix("homeassistant") })
    let announced = TopicProbe(base: "metafleet", gateway: "g1", homeAssistant: "ha")
    #expect(announced.published.last == "ha/device/metafleet_000000000000/config")
    #expect(Set(probe.published).count == probe.published.count)
  }

  @Test func `F244 nothing that is tried says anything of what there is`() {
    let taken = ["info", "health", "availability"].map { "metafleet/gateway/g1/\($0)" }
    #expect(Set(probe.published + probe.loops).isDisjoint(with: taken))
  }

  private func verdicts(
    _ answers: [String: BrokerFacts.TopicFact], _ heard: [String: Bool], tells: Bool = true
  ) -> [String: BrokerFacts.TopicFact] {
    let topics = probe.topics(answers: answers, heard: heard, tells: tells)
    return Dictionary(topics.map { ($0.topic, $0.fact) }) { first, _ in first }
  }

  @Test func `F244 what is published and comes back is granted, what does not come back is refused`() {
    var heard: [String: Bool] = [:]
    probe.note(MQTTMessage(topic: "metafleet/board/000000000000/cmd/doctor", payload: []), &heard)
    probe.note(MQTTMessage(topic: "metafleet/group/doctor/cmd/doctor", payload: [1]), &heard)
    let answers = Dictionary(uniqueKeysWithValues: probe.loops.map { ($0, BrokerFacts.TopicFact.granted) })
    let verdicts = verdicts(answers, heard)
    #expect(verdicts["metafleet/board/+/cmd/#"] == .granted)
    #expect(verdicts["metafleet/group/+/cmd/#"] == .refused, "what came had a content, and was not ours")
  }

  @Test func `F244 a command that may not be published tells nothing of who may read it`() {
    let verdicts = verdicts(["metafleet/gateway/g1/cmd/doctor": .refused], ["metafleet/group/+/cmd/#": false])
    #expect(verdicts["metafleet/gateway/g1/cmd/#"] == .unknown)
    #expect(verdicts["metafleet/group/+/cmd/#"] == .refused, "the broker said so")
  }

  @Test func `F244 a broker that does not say what it refuses is not believed`() {
    let answers = Dictionary(
      uniqueKeysWithValues: (probe.published + probe.loops).map { ($0, BrokerFacts.TopicFact.granted) })
    #expect(Set(verdicts(answers, [:], tells: false).values) == [.unknown])
  }
}
