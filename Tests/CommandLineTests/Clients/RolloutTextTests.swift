import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct RolloutTextTests {
  private static func reply(_ data: String) throws -> ReplyDocument {
    try #require(
      ReplyDocument(
        Array(#"{"id":"fw-1","stage":"done","ok":true,"group":"pumps","gw":"g1","data":\#(data)}"#.utf8)))
  }

  private static func document(_ fields: String, gateway: String = "g1") throws -> RolloutDocument {
    try #require(
      RolloutDocument(
        Array(#"{"gw":"\#(gateway)","rollout":"fw-1","version":"1.7.3",\#(fields)}"#.utf8)))
  }

  private static let running =
    #""phase":"rolling","paused":false,"total":40,"done":12,"running":1,"pending":27,"per_hour":10"#
  private static let names = ["e5a1c2d3f4b6": "Pump 3"]

  @Test func `a plan says who gets it, who first, and who cannot have it`() throws {
    let data =
      #"{"rollout":"fw-1","dry_run":true,"boards":39,"first":["e5a1c2d3f4b6"],"refused_count":3,"refused":[{"board":"e5a1c2d3f4b7","reason":"no build\nfits"}]}"#
    #expect(
      RolloutText.plan(try Self.reply(data), names: Self.names) == [
        "g1  plan: 39 boards would get the firmware", "  first: Pump 3 (e5a1c2d3f4b6)",
        #"  refused: e5a1c2d3f4b7: no build\nfits"#, "  … and 2 more",
      ])
    let begun = #"{"rollout":"fw-1","dry_run":false,"boards":1,"first":[],"refused_count":0,"refused":[]}"#
    #expect(
      RolloutText.plan(try Self.reply(begun), names: [:]) == [
        "g1  rollout fw-1 begun: 1 board gets the firmware"
      ])
    #expect(RolloutText.plan(try Self.reply("{}"), names: [:]) == [])
  }

  @Test func `how far one is stands in a line`() throws {
    #expect(
      RolloutText.progress(try Self.document(Self.running))
        == "g1  fw-1: rolling, 12 of 40 done, 1 running, 27 to go, 10 an hour")
    let aborted =
      #""phase":"aborted","paused":false,"total":3,"done":1,"stranded":1,"skipped":1,"reason":"1 board waits""#
    #expect(
      RolloutText.progress(try Self.document(aborted))
        == "g1  fw-1: aborted, 1 of 3 done, 1 without firmware, 1 skipped: 1 board waits")
    #expect(
      RolloutText.progress(try Self.document(#""phase":"canary","paused":true,"total":1,"pending":1"#))
        == "g1  fw-1: canary (paused), 0 of 1 done, 1 to go")
  }

  @Test func `it is watched until it is over at every gateway that has begun it`() throws {
    var watch = RolloutWatch(gateways: ["g1", "g2"])
    let done = #""phase":"done","total":2,"done":2,"running":0"#
    #expect(watch.take(try Self.document(Self.running)) != nil && watch.status == nil)
    #expect(watch.take(try Self.document(Self.running)) == nil)
    #expect(watch.take(try Self.document(done)) != nil && watch.status == nil)
    #expect(watch.take(try Self.document(done, gateway: "g2")) != nil && watch.status == .ok)
    let failed = #""phase":"done","total":2,"done":1,"failed":1"#
    #expect(watch.take(try Self.document(failed, gateway: "g2")) != nil && watch.status == .no)
  }

  @Test func `what runs behind an abort is waited for`() throws {
    var watch = RolloutWatch(gateways: ["g1"])
    _ = watch.take(try Self.document(#""phase":"aborted","total":2,"running":1"#))
    #expect(watch.status == nil)
    _ = watch.take(try Self.document(#""phase":"aborted","total":2,"done":1,"skipped":1"#))
    #expect(watch.status == .no)
  }
}
