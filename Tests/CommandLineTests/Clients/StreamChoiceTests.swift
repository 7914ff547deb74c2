import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct StreamChoiceTests {
  private static let fleet: FleetView = {
    var fleet = FleetView(base: "metafleet", scope: .everything)
    let document = #"{"desired":{"process":{"activity":{}}},"reported":{"stream":{"i2c-tank":{}}}}"#
    fleet.apply(topic: "metafleet/board/e5a1c2d3f4b6/config", payload: Array(document.utf8))
    return fleet
  }()

  @Test(arguments: ["acceleration", "acceleration-y", "temperature-die", "activity", "i2c-tank"])
  func `F246 streams of the catalogue and those that boards have are streams`(_ name: String) {
    #expect(throws: Never.self) { try StreamChoice.check(name, in: Self.fleet) }
  }

  @Test(arguments: [("aceleration", "did you mean acceleration?"), ("nothing-like-it", "metafleet board")])
  func `F246 a stream that nobody has is refused with the nearest`(_ name: String, _ words: String) {
    do throws(CommandLineFailure) {
      try StreamChoice.check(name, in: Self.fleet)
      Issue.record("it was taken")
    } catch {
      #expect(error.status == .usage && error.message.contains(words), "\(error.message)")
    }
  }
}
