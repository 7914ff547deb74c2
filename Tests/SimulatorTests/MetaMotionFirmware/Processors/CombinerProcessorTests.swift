import Testing

@testable import Simulator

struct CombinerProcessorTests {
  @Test func `Root of the sum and of the mean of squares`() throws {
    var sum = try ProcessorBench<CombinerProcessor>("A5 01")
    #expect(sum.feed("02 00 FD FF 06 00") == ["07 00"])
    var mean = try ProcessorBench<CombinerProcessor>("A5 00")
    #expect(mean.feed("02 00 FE FF 02 00") == ["02 00"])
    #expect(sum.feed("00 80 00 80 00 80") == ["B3 DD"])
    #expect(sum.feed("02 00") == ["-"])
  }

  @Test func `What does not fit is as large as fits`() throws {
    var narrow = try ProcessorBench<CombinerProcessor>("A4 01")
    #expect(narrow.feed("00 10 00 10 00 10") == ["FF"])
  }
}
