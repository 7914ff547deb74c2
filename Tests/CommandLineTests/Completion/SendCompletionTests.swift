import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct SendCompletionTests {
  private func candidates(_ words: String..., fleet: FleetView? = nil) -> [String] {
    let line = CompletionLine(["metafleet", "send"] + words, at: words.count + 1, before: words.last ?? "")
    return line.offers(of: SendCompletion(line: line).candidates(in: fleet))
  }

  private static let fleet: FleetView = {
    var fleet = FleetView(base: "metafleet")
    for (topic, text) in [
      ("board/e5a1c2d3f4b6/info", #"{"name":"Pump 3","groups":["east"],"profile":"vibration"}"#),
      ("board/e5a1c2d3f4b7/info", #"{"name":"Twin"}"#), ("board/e5a1c2d3f4b8/info", #"{"name":"Twin"}"#),
      ("board/e5a1c2d3f4b9/info", #"{"name":"\u001b[2J"}"#),
      ("gateway/g1/availability", #"{"state":"online"}"#),
    ] {
      fleet.apply(topic: "metafleet/\(topic)", payload: Array(text.utf8))
    }
    return fleet
  }()

  @Test func `targets are boards by name or else by id, groups and gateways`() {
    #expect(
      candidates("", fleet: Self.fleet).sorted() == [
        "Pump 3", "e5a1c2d3f4b7", "e5a1c2d3f4b8", "e5a1c2d3f4b9", "gateway:g1", "group:all", "group:east",
      ])
    #expect(candidates("gro", fleet: Self.fleet) == ["group:east", "group:all"])
    #expect(candidates("", fleet: nil).isEmpty, "nobody there")
  }

  @Test func `values that are names are completed: of profiles those of boards and of the file`() {
    let line = CompletionLine(["metafleet", "send", "a", "profile", "na"], at: 4, before: "na")
    let completion = SendCompletion(line: line)
    #expect(completion.wantsFleet)
    #expect(
      line.offers(of: completion.candidates(in: Self.fleet, profiles: ["climate"]))
        == ["name=climate", "name=vibration"])
    #expect(line.offers(of: completion.candidates(in: nil)) == ["name="])
    let led = CompletionLine(["metafleet", "send", "a", "led", "co"], at: 4, before: "co")
    #expect(!SendCompletion(line: led).wantsFleet, "nothing is asked of the broker for that")
  }

  @Test func `profiles and gateways are those that boards tell of`() {
    #expect(TargetCompletion.profiles(of: Self.fleet) == ["vibration"])
    #expect(TargetCompletion.gateways(of: Self.fleet) == ["g1"])
  }

  @Test func `verbs are those of the target's kind`() {
    #expect(candidates("Pump 3", "le") == ["led"])
    #expect(candidates("group:all", "fact") == ["factory-reset"])
    #expect(candidates("gateway:g1", "sc") == ["scan"])
    #expect(candidates("gateway:g1", "led").isEmpty)
  }

  @Test func `arguments are keys with the values they allow, but for what was given`() {
    #expect(
      candidates("a", "led", "pa") == ["pattern=solid", "pattern=blink", "pattern=breathe", "pattern=flash"])
    #expect(candidates("a", "led", "pattern=b") == ["pattern=blink", "pattern=breathe"])
    #expect(candidates("a", "led", "pattern=blink", "pa").isEmpty)
    #expect(candidates("a", "led", "color.").contains("color.r=0"))
    #expect(
      candidates("a", "spi-read", "pins.s") == ["pins.ss=0", "pins.ss=255", "pins.sck=0", "pins.sck=255"])
    #expect(candidates("a", "profile", "") == ["name="])
  }

  @Test func `what a word decides is offered after it`() {
    #expect(candidates("a", "read", "wh").contains("what=temperature"))
    #expect(candidates("a", "read", "so").isEmpty)
    #expect(candidates("a", "read", "what=temperature", "source=d") == ["source=die"])
    #expect(candidates("a", "stream-start", "stream=accel").contains("stream=acceleration"))
    #expect(
      candidates("a", "stream-start", "stream=acceleration", "range") == [
        "range_g=2", "range_g=4", "range_g=8", "range_g=16",
      ])
  }

  @Test func `a safeguard is never completed`() {
    #expect(candidates("a", "factory-reset", "con").isEmpty)
  }

  @Test func `options do not count as words, and those about the broker are used`() {
    #expect(candidates("--mode", "queue", "--json", "a", "--host", "b", "le") == ["led"])
    let words = ["metafleet", "send", "--mode", "queue", "--tls", "--host", "b", "--ca", "/ca", ""]
    let line = CompletionLine(words, at: 9, before: "")
    #expect(SendCompletion(line: line).brokerOptions == ["--tls", "--host", "b", "--ca", "/ca"])
  }
}
