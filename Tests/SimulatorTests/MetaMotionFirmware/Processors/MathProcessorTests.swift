import Testing

@testable import Simulator

struct MathProcessorTests {
  @Test(
    arguments: [
      (1, "02 00 00 00", "FA FF", "FC FF FF FF"), (2, "03 00 00 00", "FA FF", "EE FF FF FF"),
      (3, "04 00 00 00", "FA FF", "FF FF FF FF"), (4, "04 00 00 00", "FA FF", "FE FF FF FF"),
      (5, "03 00 00 00", "FD FF", "E5 FF FF FF"), (6, "00 00 00 00", "04 00", "02 00 00 00"),
      (6, "00 00 00 00", "03 00", "01 00 00 00"), (7, "08 00 00 00", "34 12", "00 34 12 00"),
      (8, "04 00 00 00", "34 12", "23 01 00 00"), (9, "05 00 00 00", "02 00", "FD FF FF FF"),
      (10, "00 00 00 00", "FA FF", "06 00 00 00"), (11, "19 00 00 00", "FA FF", "19 00 00 00"),
      (0, "19 00 00 00", "FA FF", "FA FF FF FF"),
    ])
  func `Every operation`(_ operation: Int, _ operand: String, _ input: String, _ output: String) throws {
    var bench = try ProcessorBench<MathProcessor>("17 0\(String(operation, radix: 16)) \(operand) 00")
    #expect(bench.feed(input) == [output])
  }

  @Test func `A counter's byte modulo two`() throws {
    var bench = try ProcessorBench<MathProcessor>("03 04 02 00 00 00 00")
    #expect(bench.feed("FF", "02") == ["01 00 00 00", "00 00 00 00"])
  }

  @Test func `Every channel is computed`() throws {
    var bench = try ProcessorBench<MathProcessor>("17 01 01 00 00 00 01")
    #expect(bench.feed("01 00 FF FF", "01 00") == ["02 00 00 00 00 00 00 00", "-"])
  }

  @Test(arguments: ["17 03 00 00 00 00 00", "17 04 00 00 00 00 00"])
  func `Nothing comes of a division by zero`(_ configuration: String) throws {
    var bench = try ProcessorBench<MathProcessor>(configuration)
    #expect(bench.feed("01 00") == ["-"])
  }

  @Test func `The largest numbers overflow without a trap`() throws {
    for operation in ["02", "05", "07", "08", "01", "09"] {
      var bench = try ProcessorBench<MathProcessor>("1F \(operation) FF FF FF 7F 00")
      #expect(bench.feed("FF FF FF 7F", "00 00 00 80").allSatisfy { $0 != "-" })
      var negative = try ProcessorBench<MathProcessor>("1F \(operation) 00 00 00 80 00")
      #expect(negative.feed("FF FF FF 7F", "00 00 00 80").allSatisfy { $0 != "-" })
    }
    #expect(isRefused(MathProcessor.self, "17 0C 00 00 00 00 00"))
  }
}
