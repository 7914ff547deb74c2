import BoardKit
import Testing

@testable import MetaMotion

@Suite struct ProgramMemoryTests {
  private static let timer = BoardResource.timer(BoardTimer(periodMilliseconds: 1000))

  private static let origin = ProgramMemory.Origin(firmware: "1.7.3", hardware: "r0.4", model: "8")

  private static let memory: ProgramMemory = {
    var memory = ProgramMemory()
    memory.places[.timer("second")] = .init(slot: 3, contents: timer.contents)
    memory.places[.processor("steps", 2)] = .init(slot: 27, contents: [9, 2, 1])
    memory.places[.event("timer.second", 1)] = .init(slot: 0, contents: [10, 2])
    memory.places[.logger("acceleration", 1)] = .init(slot: 6, contents: [11, 2, 3, 4, 255, 36])
    memory.macros["hello"] = .init(
      slot: 5, macro: Macro(isRunAtBoot: true, commands: [[2, 2, 1], [2, 1, 1]]))
    memory.origin = origin
    memory.answered = [.processors, .events]
    memory.answersMacros = true
    memory.downsampling = 0x51
    return memory
  }()

  @Test func `what is kept comes back`() { #expect(ProgramMemory(Self.memory.encoded) == Self.memory) }

  @Test func `nothing is kept of nothing`() { #expect(ProgramMemory().encoded.isEmpty) }

  @Test func `what is damaged counts as unknown`() {
    let whole = Self.memory.encoded
    for length in 0..<whole.count {
      let read = ProgramMemory(Array(whole.prefix(length)))
      #expect(Set(read.places.keys).isSubset(of: Self.memory.places.keys))
    }
    #expect(ProgramMemory([1] + whole.dropFirst()).isEmpty)
    #expect(ProgramMemory(whole + [9]).isEmpty)
  }

  @Test func `a reset takes what is not in flash; another firmware, hardware or model everything`() {
    #expect(Self.memory.valid(for: Self.origin, isReset: false) == Self.memory)
    let reset = Self.memory.valid(for: Self.origin, isReset: true)
    #expect(Array(reset.places.keys) == [.logger("acceleration", 1)])
    #expect(reset.macros == Self.memory.macros && reset.downsampling == nil)
    for path in [\ProgramMemory.Origin.firmware, \.hardware, \.model] {
      var other = Self.origin
      other[keyPath: path] = "other"
      let valid = Self.memory.valid(for: other, isReset: false)
      #expect(valid.isEmpty)
      #expect(valid.origin == other)
    }
  }

  @Test func `a slot is ours as long as it holds what we put there`() {
    var onBoard = BoardResources()
    #expect(Self.memory.owned(in: onBoard).byKey.isEmpty)
    onBoard.timers[3] = BoardTimer(periodMilliseconds: 1000)
    #expect(Self.memory.owned(in: onBoard)[.timer("second")] == 3)
    onBoard.timers[3] = BoardTimer(periodMilliseconds: 1001)
    #expect(Self.memory.owned(in: onBoard).byKey.isEmpty)
  }
}
