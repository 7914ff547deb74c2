import Testing

@testable import MetaMotion

struct ProcessorGraphTests {
  /// As a board tells them: slot → answer to a read.
  private func graph(_ slots: [UInt8: String]) -> ProcessorGraph {
    var graph = ProcessorGraph(chip: .bmi160)
    for (slot, hex) in slots {
      graph.slots[slot] = ProcessorDefinition(bytes(hex), on: ProcessorOperationTests.old)
    }
    return graph
  }

  private let chain: [UInt8: String] = [
    0: "09820304ffa007a500", 1: "0982090300200207", 2: "098209030160081330750000", 3: "0982090301600f03",
  ]

  @Test func `names run from the root to the leaf`() {
    let graph = graph(chain)
    #expect(
      graph.name(of: .output(ofProcessor: 2)) == "acceleration:rms?id=0:accumulate?id=1:time?id=2")
    #expect(
      graph.name(of: .state(ofProcessor: 3)) == "acceleration:rms?id=0:accumulate?id=1:buffer-state?id=3")
    #expect(graph.name(of: .output(ofProcessor: 9)) == "processor?id=9")
  }

  @Test func `components and unknown sources have names`() {
    let graph = graph([0: "09820304ff220d0d000800000000"])
    #expect(graph.name(of: .output(ofProcessor: 0)) == "acceleration[1]:threshold?id=0")
    let address = SignalAddress(Register(.debug, 0x05), index: 3)
    #expect(graph.name(of: address) == "debug-register-5[3]")
    #expect(graph.layout(at: address) == nil)
  }

  @Test func `layouts follow the chain`() throws {
    let graph = graph(chain)
    let numbers = try #require(graph.layout(at: .output(ofProcessor: 2))?.numbers)
    #expect(numbers == Numbers(width: 4, scale: 16_384, unit: .g))
    #expect(graph.layout(at: .state(ofProcessor: 3))?.numbers == numbers)
    #expect(graph.layout(at: .state(ofProcessor: 0)) == nil)
  }

  @Test func `consumers go first`() {
    #expect(graph(chain).removalOrder(of: 0) == [2, 3, 1, 0])
    #expect(graph(chain).removalOrder(of: 3) == [3])
  }

  @Test func `a fuser consumes its buffers`() {
    let graph = graph([0: "09821305ffa00f05", 1: "09820304ffa01b01000000000000000000000000"])
    #expect(graph.removalOrder(of: 0) == [1, 0])
    #expect(graph.layout(at: .output(ofProcessor: 1))?.byteCount == 12)
  }

  @Test func `a ring of processors ends nobody's patience`() {
    let graph = graph([0: "0982090301200207", 1: "0982090300200207"])
    #expect(graph.layout(at: .output(ofProcessor: 0)) == nil)
    #expect(graph.name(of: .output(ofProcessor: 0)).hasPrefix("processor?id=0"))
    #expect(graph.removalOrder(of: 0) == [1, 0])
  }
}
