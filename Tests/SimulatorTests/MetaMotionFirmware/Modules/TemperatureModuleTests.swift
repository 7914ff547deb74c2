import Simulator
import Testing

struct TemperatureModuleTests {
  private func degrees(_ answer: [String]) throws -> Double {
    let bytes = [UInt8](hex: try #require(answer.first))
    return Double(Int16(bitPattern: UInt16(bytes[3]) | UInt16(bytes[4]) << 8)) / 8
  }

  @Test(arguments: [(BoardModel.r, 4), (.rl, 3), (.s, 4)])
  func `Exactly the listed channels answer`(_ model: BoardModel, _ channels: Int) {
    var bench = Bench(model)
    let answering = (0...9).filter { !bench.write("04 81 0\($0)").isEmpty }
    #expect(answering == Array(0..<channels))
    #expect(bench.write("04 81", "04 81 00 00").isEmpty)
  }

  @Test func `The die is warmer than the room and moves in quarters of a degree`() throws {
    var bench = Bench(.s)
    var seen: Set<Double> = []
    for _ in 0..<100 {
      _ = bench.advance(by: .seconds(60))
      let die = try degrees(bench.write("04 81 00"))
      #expect(try die > degrees(bench.write("04 81 01")))
      #expect((die * 4).rounded() == die * 4 && (15...35).contains(die))
      seen.insert(die)
    }
    #expect(seen.count > 3)
  }

  @Test func `An external thermistor means something once its pins are configured`() throws {
    var bench = Bench(.s)
    #expect(try degrees(bench.write("04 81 02")) < 0)
    bench.write("04 02 02 00 01 00")
    #expect(try (15...30).contains(degrees(bench.write("04 81 02"))))
    #expect(bench.write("04 82 02") == ["04 82 02 00 01 00"])
    #expect(bench.write("04 02 00 00 01 00", "04 82 00").isEmpty)
  }

  @Test func `The barometer's channel is stale while it does not run`() throws {
    var bench = Bench(.s)
    let first = bench.write("04 81 03")
    _ = bench.advance(by: .seconds(3600))
    #expect(bench.write("04 81 03") == first)
  }

  @Test func `The barometer's channel follows while it runs`() throws {
    var bench = Bench(.s)
    bench.write("12 04 01 01")
    var seen: Set<Double> = []
    for _ in 0..<20 {
      _ = bench.advance(by: .seconds(300))
      seen.insert(try degrees(bench.write("04 81 03")))
    }
    #expect(seen.count > 3)
  }
}
