import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 1.5: what verbs changed is laid over the profile.
@Suite struct StreamOverlayTests {
  private let profile: [String: StreamRequest] = [
    "acceleration": .acceleration(50), "temperature-die": .temperature,
  ]

  @Test func `without verbs the profile counts`() {
    #expect(StreamOverlay().streams(over: profile) == profile)
    #expect(StreamOverlay().isEmpty)
  }

  @Test func `a started stream is added`() {
    var overlay = StreamOverlay()
    let battery = StreamRequest(name: "battery", configuration: ["every": "60s", "record": true])
    overlay.start(battery, until: nil, profile: profile)
    #expect(overlay.streams(over: profile).keys.sorted() == ["acceleration", "battery", "temperature-die"])
    #expect(!overlay.isEmpty)
  }

  @Test func `a started stream reconfigures the profiles`() {
    var overlay = StreamOverlay()
    overlay.start(.acceleration(100), until: nil, profile: profile)
    #expect(overlay.streams(over: profile)["acceleration"] == .acceleration(100))
  }

  @Test func `starting what the profile says anyway leaves no overlay`() {
    var overlay = StreamOverlay()
    overlay.start(.acceleration(100), until: nil, profile: profile)
    overlay.start(.acceleration(50), until: nil, profile: profile)
    #expect(overlay.isEmpty)
  }

  @Test func `stopping ends both kinds`() {
    var overlay = StreamOverlay()
    overlay.start(.acceleration(100), until: nil, profile: profile)
    #expect(overlay.stop("acceleration", profile: profile) == ["acceleration"])
    #expect(overlay.streams(over: profile).keys.sorted() == ["temperature-die"])
    #expect(overlay.stop("acceleration", profile: profile) == [])
    #expect(overlay.stop("switch", profile: profile) == [])
  }

  @Test func `stopping all stops all`() {
    var overlay = StreamOverlay()
    overlay.start(StreamRequest(name: "switch", configuration: [:]), until: nil, profile: profile)
    #expect(overlay.stop(nil, profile: profile) == ["acceleration", "switch", "temperature-die"])
    #expect(overlay.streams(over: profile).isEmpty)
  }

  @Test func `the opposite verb takes a stop back`() {
    var overlay = StreamOverlay()
    _ = overlay.stop(nil, profile: profile)
    overlay.start(.acceleration(50), until: nil, profile: profile)
    #expect(overlay.streams(over: profile) == ["acceleration": .acceleration(50)])
    overlay.start(.temperature, until: nil, profile: profile)
    #expect(overlay.isEmpty)
  }

  @Test func `an entry ends by its time, and the profile is back`() {
    var overlay = StreamOverlay()
    overlay.start(.acceleration(100), until: .at(60_000), profile: profile)
    overlay.start(StreamRequest(name: "switch", configuration: [:]), until: .at(30_000), profile: profile)
    #expect(overlay.nextExpiry == .at(30_000))
    #expect(overlay.expire(at: .at(29_999)) == false)
    #expect(overlay.expire(at: .at(30_000)) == true)
    #expect(overlay.nextExpiry == .at(60_000))
    #expect(overlay.streams(over: profile)["acceleration"] == .acceleration(100))
    #expect(overlay.expire(at: .at(60_000)) == true)
    #expect(overlay.streams(over: profile) == profile && overlay.nextExpiry == nil)
  }

  @Test func `a limited start of what the profile wants leaves the profile running after its time`() {
    var overlay = StreamOverlay()
    overlay.start(.acceleration(50), until: .at(60_000), profile: profile)
    _ = overlay.expire(at: .at(60_000))
    #expect(overlay.streams(over: profile)["acceleration"] == .acceleration(50))
  }

  // On disk.

  @Test func `comes back as it was`() {
    var overlay = StreamOverlay()
    overlay.start(.acceleration(100), until: .at(60_000), profile: profile)
    overlay.start(
      StreamRequest(name: "battery-mv", configuration: ["every": "1s"]), until: nil, profile: profile)
    _ = overlay.stop("temperature-die", profile: profile)
    #expect(StreamOverlay(document: overlay.document) == overlay)
    #expect(StreamOverlay(document: StreamOverlay().document).isEmpty)
  }

  @Test func `what can be no stream is dropped`() {
    let overlay = StreamOverlay(document: [
      "started": [
        "Weather": ["config": [:]], "calm": ["config": [:]], "acceleration": 5,
        "switch": ["config": ["record": true]],
      ],
      "stopped": [5, "battery"],
    ])
    #expect(overlay.started.keys.sorted() == ["calm", "switch"])
    #expect(overlay.stopped == ["battery"])
    #expect(StreamOverlay(document: ["started": [], "stopped": 5]).isEmpty)
  }

  @Test func `what was said of a chain goes with it`() {
    var overlay = StreamOverlay()
    let calm = StreamRequest(name: "calm", configuration: ["record": true])
    overlay.start(calm, until: nil, profile: profile)
    overlay.forget("calm")
    #expect(overlay.isEmpty)
    _ = overlay.stop("calm", profile: ["calm": calm])
    overlay.forget("calm")
    #expect(overlay.isEmpty)
  }
}
