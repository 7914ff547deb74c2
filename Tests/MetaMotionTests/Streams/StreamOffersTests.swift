import FleetModel
import Testing

@testable import MetaMotion

struct StreamOffersTests {
  private func offers(_ board: TestBoard) throws -> [String: JSONObject] {
    let streams = try StreamOffers(board.inventory()).streams
    return Dictionary(uniqueKeysWithValues: streams.map { ($0.name, $0.offers) })
  }

  /// What only one chip has, or no MetaMotion.
  private static let ofTheBMI160: Set = ["slow-motion", "low-g", "high-g", "tap", "orientation", "flat"]
  private static let ofTheBMI270: Set = ["activity", "wrist-gesture", "wrist-wakeup"]

  @Test func `a MetaMotion s offers nearly everything in catalogue order`() throws {
    let names = try StreamOffers(TestBoard.metaMotionS.inventory()).streams.map(\.name)
    let missing = Self.ofTheBMI160.union(["humidity"])
    #expect(
      names.filter { !$0.hasPrefix("gpio") }
        == StreamCatalogue.all.map(\.name).filter { !missing.contains($0) })
    #expect(names.count { $0.hasPrefix("gpio") } == 6 * 4 + 2)
  }

  @Test func `an RL has no BMP280 and no light sensor, an old R no power states`() throws {
    let names = try Set(offers(.metaMotionRL).keys).filter { !$0.hasPrefix("gpio") }
    let missing = Self.ofTheBMI270.union([
      "humidity", "illuminance", "pressure", "altitude", "temperature-bmp280",
    ])
    #expect(names == Set(StreamCatalogue.all.map(\.name)).subtracting(missing))
    #expect(try offers(.metaMotionR)["power-status"] == nil)
    #expect(try offers(.metaMotionR)["temperature-bmp280"] != nil)
  }

  @Test func `a listed barometer channel needs the barometer`() throws {
    let board = TestBoard.metaMotionRL.with("0480010000030102")
    #expect(try offers(board)["temperature-bmp280"] == nil)
    #expect(try offers(board.with("12800000"))["temperature-bmp280"] != nil)
  }

  @Test func `missing modules take their streams along`() throws {
    let board = TestBoard.metaMotionS.with("0180 0380 0480 0580 0b80 1180 1280 1380 1480 1580 1980")
    #expect(try offers(board).isEmpty)
    #expect(try offers(TestBoard.metaMotionS.with("11800002"))["battery"] == nil)
    #expect(try offers(TestBoard.metaMotionS.with("0580"))["temperature-external"] == nil)
    #expect(try offers(TestBoard.metaMotionS.with("03800700"))["acceleration"] == nil)
  }

  @Test func `F277 only what a board can log is said to be loggable`() throws {
    func unloggable(_ board: TestBoard) throws -> [String] {
      try StreamOffers(board.inventory()).streams.filter { !$0.isLoggable }.map(\.name)
    }
    // Trap T35, and a sensor that must run beside it.
    #expect(try unloggable(.metaMotionS) == ["temperature-bmp280", "battery"])
    #expect(try unloggable(.metaMotionRL) == [])
    let withoutLog = TestBoard.metaMotionRL.with("0b80")
    #expect(try unloggable(withoutLog).count == StreamOffers(withoutLog.inventory()).streams.count)
  }

  @Test func `offers name the allowed values`() throws {
    let acceleration = try #require(try offers(.metaMotionS)["acceleration"])
    #expect(acceleration["range_g"] == [2, 4, 8, 16])
    #expect(acceleration["rate_hz"]?.array?.count == 12)
    #expect(acceleration["rate_hz"]?.array?.first == .number(0.78125))
    #expect(acceleration["packed"] == ["auto", "on", "off"])
    let external = try #require(try offers(.metaMotionS)["temperature-external"])
    #expect(external["data_pin"] == ["min": 0, "max": 6, "step": 1])
  }

  @Test func `packed data are offered where the firmware has them`() throws {
    let old = try #require(try offers(TestBoard.metaMotionR.with("03800100"))["acceleration"])
    #expect(old["packed"] == ["auto", "off"])
  }
}
