import FleetModel
import Testing

@testable import MetaMotion

struct StreamOffersTests {
  private func offers(_ board: TestBoard) throws -> [String: JSONObject] {
    let streams = try StreamOffers(board.inventory()).streams
    return Dictionary(uniqueKeysWithValues: streams.map { ($0.name, $0.offers) })
  }

  @Test func aMetaMotionSOffersEverythingInCatalogueOrder() throws {
    let names = try StreamOffers(TestBoard.metaMotionS.inventory()).streams.map(\.name)
    #expect(names == StreamCatalogue.all.map(\.name))
  }

  @Test("an RL has no BMP280, an old R no power states")
  func whatIsNotThereIsNotOffered() throws {
    let names = try Set(offers(.metaMotionRL).keys)
    #expect(
      names
        == [
          "acceleration", "temperature-die", "temperature-thermistor", "temperature-external", "switch",
          "battery",
          "power-status", "charge-status",
        ])
    #expect(try offers(.metaMotionR)["power-status"] == nil)
    #expect(try offers(.metaMotionR)["temperature-bmp280"] != nil)
  }

  @Test func aListedBarometerChannelNeedsTheBarometer() throws {
    let board = TestBoard.metaMotionRL.with("0480010000030102")
    #expect(try offers(board)["temperature-bmp280"] == nil)
    #expect(try offers(board.with("12800000"))["temperature-bmp280"] != nil)
  }

  @Test func missingModulesTakeTheirStreamsAlong() throws {
    let board = TestBoard.metaMotionS.with("0180 0380 0480 1180")
    #expect(try offers(board).isEmpty)
    #expect(try offers(TestBoard.metaMotionS.with("11800002"))["battery"] == nil)
    #expect(try offers(TestBoard.metaMotionS.with("0580"))["temperature-external"] == nil)
    #expect(try offers(TestBoard.metaMotionS.with("03800700"))["acceleration"] == nil)
  }

  @Test func offersNameTheAllowedValues() throws {
    let acceleration = try #require(try offers(.metaMotionS)["acceleration"])
    #expect(acceleration["range_g"] == [2, 4, 8, 16])
    #expect(acceleration["rate_hz"]?.array?.count == 12)
    #expect(acceleration["rate_hz"]?.array?.first == .number(0.78125))
    #expect(acceleration["packed"] == ["auto", "on", "off"])
    let external = try #require(try offers(.metaMotionS)["temperature-external"])
    #expect(external["data_pin"] == ["min": 0, "max": 6, "step": 1])
  }

  @Test func packedDataAreOfferedWhereTheFirmwareHasThem() throws {
    let old = try #require(try offers(TestBoard.metaMotionR.with("03800100"))["acceleration"])
    #expect(old["packed"] == ["auto", "off"])
  }
}
