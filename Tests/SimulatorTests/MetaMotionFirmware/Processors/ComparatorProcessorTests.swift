import Testing

@testable import Simulator

struct ComparatorProcessorTests {
  @Test(
    arguments: [
      ("00", "-+-"), ("01", "+-+"), ("02", "+--"), ("03", "++-"), ("04", "--+"), ("05", "-++"),
    ])
  func `The old form compares with one reference`(_ operation: String, _ passing: String) throws {
    var bench = try ProcessorBench<ComparatorProcessor>("01 \(operation) 00 00 00 00 00")
    let out = bench.feed("FF FF", "00 00", "01 00")
    #expect(out.map { $0 == "-" ? "-" : "+" }.joined() == passing)
  }

  @Test func `Several references, of which one must hold`() throws {
    // Equal to 24, 25, 26 or again 26 degrees, signed, two bytes each.
    var bench = try ProcessorBench<ComparatorProcessor>("03 C0 00 C8 00 D0 00 D0 00")
    #expect(bench.feed("C8 00", "C9 00", "D0 00") == ["C8 00", "-", "D0 00"])
  }

  @Test func `The vector with three references of two bytes is no single reference`() throws {
    var bench = try ProcessorBench<ComparatorProcessor>("03 C0 00 C8 00 D0 00")
    #expect(bench.feed("C8 00", "C9 00") == ["C8 00", "-"])
  }

  @Test func `The satisfied reference, its zone, or yes and no`() throws {
    var reference = try ProcessorBench<ComparatorProcessor>("6A 00 04 00 02 00 01 80 00")
    #expect(reference.feed("10 02", "05 00") == ["00 02", "-"])
    var zone = try ProcessorBench<ComparatorProcessor>("AA 00 04 00 02 00 01 80 00")
    #expect(zone.feed("10 02", "05 00", "FF FF") == ["01", "04", "00"])
    var binary = try ProcessorBench<ComparatorProcessor>("EA 00 02")
    #expect(binary.feed("10 02", "05 00") == ["01", "00"])
  }

  @Test(arguments: [
    "", "06", "06 01", "36 01 00 00 00", "06 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
  ])
  func `Nonsense is refused`(_ configuration: String) {
    #expect(isRefused(ComparatorProcessor.self, configuration))
  }
}
