import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct SampleRatesTests {
  private let board = BoardID(BluetoothAddress(rawValue: 0xE5A1_C2D3_F4B6))

  private func sample(_ number: Int64, at seconds: Double, _ stream: String = "acceleration")
    -> LiveSampleDocument
  {
    LiveSampleDocument(json: [
      "board": "e5a1c2d3f4b6", "stream": .string(stream), "seq": .integer(number),
      "ts_ms": .integer(Int64(seconds * 1_000)), "ax_g": 1,
    ])
  }

  @Test func `the numbers tell the rate behind the decimation`() {
    var rates = SampleRates()
    #expect(rates.rate(of: board, at: .zero) == nil)
    for step in 0..<100 {
      rates.received(sample(Int64(step) * 5, at: Double(step) / 10), at: .milliseconds(step * 100))
    }
    #expect(rates.rate(of: board, at: .seconds(10)) == 50)
  }

  @Test func `streams add up, and a slow one counts from two samples on`() throws {
    var rates = SampleRates()
    rates.received(sample(7, at: 0, "temperature-die"), at: .zero)
    #expect(rates.rate(of: board, at: .zero) == nil)
    rates.received(sample(8, at: 10, "temperature-die"), at: .seconds(10))
    rates.received(sample(9, at: 20, "temperature-die"), at: .seconds(20))
    for step in 0..<10 {
      rates.received(
        sample(Int64(step) * 10, at: 19 + Double(step) / 10), at: .milliseconds(19_000 + step * 100))
    }
    let rate = try #require(rates.rate(of: board, at: .seconds(20)))
    #expect(abs(rate - 100.1) < 0.001)
  }

  @Test func `a stream that stopped counts nothing, one that began anew starts over`() {
    var rates = SampleRates()
    for step in 0..<20 {
      rates.received(sample(Int64(step) * 10, at: Double(step) / 10), at: .milliseconds(step * 100))
    }
    #expect(rates.rate(of: board, at: .seconds(3)) == 100)
    #expect(rates.rate(of: board, at: .seconds(30)) == 0)
    rates.received(sample(0, at: 31), at: .seconds(31))
    #expect(rates.rate(of: board, at: .seconds(31)) == nil)
    rates.received(sample(20, at: 32), at: .seconds(32))
    #expect(rates.rate(of: board, at: .seconds(32)) == 20)
  }

  @Test func `samples of any shape are no trouble`() {
    var rates = SampleRates()
    for object in [
      [:], ["board": "x", "stream": "y", "seq": 1, "ts_ms": 1], ["board": "e5a1c2d3f4b6", "seq": 1],
      sample(.max, at: 0).json, sample(.min, at: 0).json, sample(.max, at: 1).json,
    ] as [JSONObject] {
      rates.received(LiveSampleDocument(json: object), at: .zero)
    }
    _ = rates.rate(of: board, at: .zero)
  }
}
