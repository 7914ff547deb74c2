import FleetModel
import Testing

@testable import Fleet

/// What verbs change about what a board logs (MQTT contract 1.5, 3.5).
@Suite struct DesiredLogsTests {
  private static let profile = ["acceleration": log("acceleration", 50), "pressure": log("pressure", 10)]

  private static func log(_ name: String, _ rate: Int64) -> StreamRequest {
    StreamRequest(name: name, configuration: ["rate_hz": .integer(rate)])
  }

  private func overlay(_ commands: [LogCommand]) -> LogOverlay {
    var overlay = LogOverlay()
    for command in commands { overlay.note(command, profile: Self.profile) }
    return overlay
  }

  private func names(_ commands: [LogCommand]) -> [String] {
    overlay(commands).logs(over: Self.profile).keys.sorted()
  }

  private static let light = LogCommand.start([log("illuminance", 2)], isCircular: nil, adjusted: [])

  @Test func `what is started is logged besides`() {
    #expect(names([Self.light]) == ["acceleration", "illuminance", "pressure"])
    #expect(overlay([Self.light]).names(over: Self.profile) == ["illuminance"])
    #expect(overlay([.start([Self.log("pressure", 10)], isCircular: nil, adjusted: [])]).isEmpty)
  }

  @Test func `the opposite verb ends it`() {
    #expect(names([Self.light, .stop(["illuminance", "pressure"])]) == ["acceleration"])
    #expect(overlay([Self.light, .stop(["illuminance"])]).isEmpty)
    #expect(
      overlay([.stop(["pressure"]), .start([Self.log("pressure", 10)], isCircular: nil, adjusted: [])])
        .isEmpty)
  }

  @Test func `off is off until it is resumed`() {
    #expect(names([Self.light, .stop(nil)]) == [])
    #expect(overlay([.stop(nil)]).names(over: Self.profile) == ["acceleration", "pressure"])
    #expect(
      names([Self.light, .stop(nil), .download(resume: true, clear: nil)])
        == ["acceleration", "illuminance", "pressure"])
    #expect(names([.stop(nil), .download(resume: nil, clear: nil)]) == [])
    #expect(names([.download(resume: false, clear: nil)]) == [])
  }

  @Test
  func `what was stopped with all the rest does not come back with one stream`() {
    #expect(names([.stop(nil), Self.light]) == ["illuminance"])
  }

  @Test func `survives a restart`() {
    for commands: [LogCommand] in [
      [], [Self.light], [.stop(nil)], [.stop(["pressure"])],
      [.start([Self.log("pressure", 20)], isCircular: true, adjusted: [])],
    ] {
      let overlay = overlay(commands)
      #expect(LogOverlay(document: overlay.document) == overlay)
    }
    #expect(overlay([.start([], isCircular: true, adjusted: [])]).isCircular == true)
  }
}
