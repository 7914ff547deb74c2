import FleetModel
import Testing

@testable import metafleet

@Suite struct RolloutArgumentsTests {
  private static func arguments(_ change: (inout RolloutArguments) -> Void = { _ in }) -> JSONObject {
    var arguments = RolloutArguments(version: "1.7.3")
    change(&arguments)
    return arguments.arguments(for: "pumps")
  }

  private static let bare: JSONObject = ["confirm": "pumps", "version": "1.7.3"]

  @Test func `what nobody said is left to the gateway`() {
    #expect(Self.arguments() == Self.bare)
    #expect(Self.arguments { $0.isDryRun = true } == Self.bare.merging(["dry_run": true]))
  }

  @Test func `all that was said is an argument`() {
    let all = Self.arguments {
      ($0.canary, $0.canaries, $0.soak) = (2, ["e5a1c2d3f4b6"], .seconds(7_200))
      ($0.perHour, $0.parallel, $0.hours) = (10, 2, ["22:00-05:00"])
      ($0.allowsBootloader, $0.isForced) = (true, true)
      $0.until = Timestamp(milliseconds: 5)
    }
    #expect(
      all
        == Self.bare.merging([
          "canary": 2, "canaries": ["e5a1c2d3f4b6"], "soak": "2h", "ramp": ["per_hour": 10], "parallel": 2,
          "hours": ["22:00-05:00"], "allow_bootloader": true, "force": true, "until_ms": 5,
        ]))
  }

  @Test func `a pace that is beyond the usual most moves that`() {
    #expect(
      Self.arguments { $0.perHour = 100 }["ramp"] == ["per_hour": 100, "max_per_hour": 100])
  }
}
