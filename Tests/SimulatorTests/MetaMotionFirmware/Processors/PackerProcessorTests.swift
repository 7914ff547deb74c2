import Testing

@testable import Simulator

struct PackerProcessorTests {
  @Test func `So many values come out together`() throws {
    var bench = try ProcessorBench<PackerProcessor>("01 03")
    #expect(
      bench.feed("F5 00", "F1 00", "F2 00", "F2 00", "01 00") == [
        "-", "-", "-", "F5 00 F1 00 F2 00 F2 00", "-",
      ])
    bench.set("")
    #expect(bench.feed("01 00", "02 00", "03 00").last == "-")
  }

  @Test func `What exceeds seventeen bytes is cut off`() throws {
    var bench = try ProcessorBench<PackerProcessor>("05 02")
    let packed = bench.feed(Array(repeating: "01 02 03 04 05 06", count: 3)).last
    #expect([UInt8](hex: packed ?? "").count == 17)
  }
}
