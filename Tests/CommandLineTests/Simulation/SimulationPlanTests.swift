import FleetModel
import Simulator
import Testing

@testable import metafleet

@Suite struct SimulationPlanTests {
  @Test func `models are dealt out in turn and addresses count`() throws {
    let fleet = try SimulationPlan(count: 5, models: "s, rl", seed: 1)
    #expect(fleet.models.map(\.key) == ["s", "rl", "s", "rl", "s"])
    #expect(SimulationPlan.address(of: 1).colonSeparated == "C0:FF:EE:00:00:01")
    #expect(SimulationPlan.address(of: 258).colonSeparated == "C0:FF:EE:00:01:02")
  }

  @Test(arguments: [(0, "s"), (-1, "s"), (65_536, "s"), (1, ""), (1, "x"), (1, "s,,rl")])
  func `what cannot be simulated is a usage failure`(_ count: Int, _ models: String) {
    #expect { try SimulationPlan(count: count, models: models, seed: 1) } throws: {
      ($0 as? CommandLineFailure)?.status == .usage
    }
  }

  @Test(arguments: [(-1, false), (0, false), (1, true), (8, true), (9, false)])
  func `there are one to eight adapters`(_ count: Int, _ isPossible: Bool) throws {
    var fleet = try SimulationPlan(count: 1, models: "s", seed: 1)
    var failure: CommandLineFailure?
    do throws(CommandLineFailure) { try fleet.use(adapters: count) } catch { failure = error }
    #expect(isPossible ? failure == nil : failure?.status == .usage)
  }

  @Test func `bootloaders are as the list says; with the next address boards have every second one`() throws {
    var fleet = try SimulationPlan(count: 3, models: "s", seed: 1)
    try fleet.choose(bootloader: "revision=0.2.1, two-banks")
    #expect(fleet.addresses == (1...3).map(SimulationPlan.address(of:)))
    try fleet.choose(bootloader: "next-address")
    #expect(fleet.addresses == [1, 3, 5].map(SimulationPlan.address(of:)))
  }

  @Test(arguments: [
    ("tow-banks", "did you mean two-banks?"), ("erase", "expected of --bootloader: erase=DURATION"),
    ("two-banks=1", "expected of --bootloader: two-banks, not"),
  ])
  func `a trait that is none is a usage failure`(_ list: String, _ words: String) throws {
    var fleet = try SimulationPlan(count: 1, models: "s", seed: 1)
    var failure: CommandLineFailure?
    do throws(CommandLineFailure) { try fleet.choose(bootloader: list) } catch { failure = error }
    #expect(failure?.status == .usage && failure?.message.contains(words) == true)
  }

  @Test func `with the next address there is room for half as many boards`() throws {
    var fleet = try SimulationPlan(count: 40_000, models: "s", seed: 1)
    #expect(throws: CommandLineFailure.self) { try fleet.choose(bootloader: "next-address") }
  }

  @Test func `the help names every trait`() {
    for (name, meaning) in BootloaderTraits.choices {
      #expect(SimulationPlan.bootloaderHelp.contains("  \(name) "))
      #expect(SimulationPlan.bootloaderHelp.contains(meaning))
    }
  }
}
