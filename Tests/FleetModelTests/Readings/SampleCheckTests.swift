import FleetModel
import Testing

@Suite struct SampleCheckTests {
  private func check(_ stream: String) throws -> SampleCheck? {
    let found = try #require(StreamCatalogue.find(stream))
    let fields = found.component.map { [found.stream.fields[$0]] } ?? found.stream.fields
    return SampleCheck(of: stream, holding: fields)
  }

  private static let cases: [(String, [Double], Int?)] = [
    ("battery", [100, 3_000], nil), ("battery", [0, 4_200], nil), ("battery", [255, 4_000], 0),
    ("battery", [101, 4_000], 0), ("battery", [50, 0], 1), ("battery", [50, 65_535], 1),
    ("battery-pct", [255], 0), ("battery-mv", [3_700], nil),
    ("temperature-die", [21.5], nil), ("temperature-die", [-40], nil), ("temperature-die", [4_095.875], 0),
    ("temperature-die", [-4_096], 0), ("temperature-thermistor", [-273], 0),
    ("temperature-external", [150], nil), ("temperature-bmp280", [120], 0),
    ("pressure", [101_325], nil), ("pressure", [0], 0), ("pressure", [16_777_216], 0),
    ("altitude", [-400], nil), ("altitude", [8_848], nil), ("altitude", [30_000], 0),
    ("humidity", [100], nil), ("humidity", [100.5], 0),
    ("illuminance", [100_000], nil), ("illuminance", [4_294_967.295], 0),
    ("quaternion", [1, 0, 0, 0], nil), ("quaternion", [0.5, -0.5, 0.5, -0.5], nil),
    ("quaternion", [0, 0, 0, 0], 0), ("quaternion", [1, 1, 0, 0], 0),
    ("quaternion", [0.1, 0.1, 0.1, 0.1], 0),
    ("quaternion", [0, 2, 0, 0], 1), ("quaternion", [.nan, 0, 0, 1], 0),
    ("quaternion", [0, 0, 1, .infinity], 3),
    ("quaternion-w", [0], nil), ("quaternion-x", [-1.5], 0),
    ("euler", [359.9, -180, 90, 359.9], nil), ("euler", [0, 0, 1e9, 0], 2), ("gravity", [0, 0, -1], nil),
    ("gravity", [0, 0, 9.81], 2), ("linear-acceleration", [0, -16.5, 0], nil),
    ("linear-acceleration", [0, 0, -.infinity], 2), ("corrected-acceleration", [1, 0, 0, 3], nil),
    ("corrected-acceleration", [1, 0, 0, 4], 3), ("corrected-angular-velocity", [0, 1e6, 0, 0], 1),
    ("corrected-magnetic-field", [30, .nan, 0, 0], 1), ("magnetic-field", [50, -30, 12], nil),
    ("magnetic-field", [0, 0, -2_048], 2), ("gpio-3-adc", [1_023], nil), ("gpio-3-adc", [1_024], 0),
    ("gpio-0-voltage", [65_535], 0), ("gpio-0-digital", [2], 0), ("switch", [1], nil), ("steps", [12], nil),
  ]

  @Test(arguments: cases)
  func `F128 what a sensor can measure passes, and what none can does not`(
    stream: String, values: [Double], impossible: Int?
  ) throws {
    let check = try #require(try check(stream))
    #expect(check.impossible(in: values.span) == impossible)
  }

  @Test func `every field of the catalogue says what can be measured`() {
    for stream in StreamCatalogue.all where stream.outlet == .stream {
      for field in stream.fields { #expect(field.possible != nil, "\(stream.name) \(field.name)") }
    }
  }

  @Test func `what a packet of 16-bit numbers cannot carry is not looked for`() throws {
    for stream in ["acceleration", "acceleration-y", "angular-velocity"] {
      #expect(try check(stream) == nil)
      let field = try #require(StreamCatalogue.find(stream)).stream.fields[0]
      #expect(field.isKeptByPacket)
    }
    #expect(try check("quaternion") != nil)
  }

  @Test func `results of chains, and fields the catalogue does not know, have to be finite and no more`()
    throws
  {
    let chain = try #require(SampleCheck(of: "activity", holding: [.init("activity_g", "g")]))
    #expect(chain.impossible(in: [1e30].span) == nil)
    #expect(chain.impossible(in: [Double.nan].span) == 0)
    let other = try #require(SampleCheck(of: "quaternion", holding: [.init("q_total", "")]))
    #expect(other.impossible(in: [12.0].span) == nil)
    #expect(other.impossible(in: [12.0, .nan].span) == nil, "another width is not judged")
  }
}
