import BoardKit
import Testing

@testable import MetaMotion

/// Configurations byte for byte, from the examples of the protocol reference, section 14.3.
struct ProcessorOperationTests {
  static let old = ProcessorDialect(revision: 0, firmware: FirmwareVersion(1, 1, 3))
  static let current = ProcessorDialect(revision: 3, firmware: FirmwareVersion(1, 7, 3))

  static let acceleration = SampleLayout.numbers(
    Numbers(channels: 3, width: 2, isSigned: true, scale: 16_384, unit: .g))
  static let axis = SampleLayout.numbers(Numbers(width: 2, isSigned: true, scale: 2_048, unit: .g))
  static let length = SampleLayout.numbers(Numbers(width: 2, scale: 16_384, unit: .g))
  static let pressure = SampleLayout.numbers(Numbers(width: 4, scale: 256, unit: .pa))
  static let temperature = SampleLayout.numbers(Numbers(width: 2, isSigned: true, scale: 8, unit: .c))
  static let ratio = SampleLayout.numbers(.plain(2))
  static let button = SampleLayout.numbers(.plain(1))
  static let quaternion = SampleLayout.numbers(Numbers(channels: 4, width: 4, isFloat: true))

  struct Example: Sendable, CustomTestStringConvertible {
    var operation: any ProcessorOperation
    var hex: String
    var dialect = old
    var testDescription: String { "\(operation.name) \(hex)" }
  }

  static let examples: [Example] = [
    Example(operation: Passthrough(.count, count: 10), hex: "020a00"),
    Example(operation: Passthrough(.conditional), hex: "010000"),
    Example(operation: Accumulator(.count, of: button, size: 1), hex: "10"),
    Example(operation: Accumulator(.count, of: button, size: 4), hex: "13"),
    Example(operation: Accumulator(.count, of: pressure, size: 1), hex: "1c"),
    Example(operation: Accumulator(.sum, of: pressure, size: 4), hex: "0f"),
    Example(operation: Average(of: ratio, depth: 4, on: old), hex: "0504"),
    Example(operation: Average(of: acceleration, depth: 16, on: current), hex: "051002", dialect: current),
    Example(
      operation: Average(of: ratio, depth: 8, isHighPass: true, on: current), hex: "250800",
      dialect: current),
    Example(operation: Comparator(.greater, [250], of: magnetic, on: old), hex: "000400a00f0000"),
    Example(
      operation: Comparator(.greaterOrEqual, [1024, 512, 256, 128], .reference, of: ratio, on: current),
      hex: "6a0004000200018000", dialect: current),
    Example(
      operation: Comparator(.equal, [-1], of: .numbers(.plain(1, isSigned: true)), on: current),
      hex: "01ff", dialect: current),
    Example(operation: Combiner(.rss, of: acceleration), hex: "a501"),
    Example(operation: Combiner(.rms, of: acceleration), hex: "a500"),
    Example(
      operation: TimeLimiter(.absolute, milliseconds: 20, of: quaternion, on: current), hex: "1714000000",
      dialect: current),
    Example(operation: TimeLimiter(.absolute, milliseconds: 20, of: pressure, on: old), hex: "0314000000"),
    Example(
      operation: TimeLimiter(.differential, milliseconds: 30_000, of: pressure, on: old), hex: "0b30750000"),
    Example(operation: MathOperation(.modulus, 2, of: button, on: old), hex: "03040200000000"),
    Example(operation: MathOperation(.constant, 25, of: temperature, on: old), hex: "170b1900000000"),
    Example(operation: MathOperation(.divide, 1_000, of: pressure, on: old), hex: "0f03e803000000"),
    Example(operation: MathOperation(.rightShift, 8, of: ratio, on: old), hex: "04080800000000"),
    Example(operation: SampleDelay(16, of: ratio), hex: "0110"),
    Example(operation: Pulse(.peak, threshold: 500, samples: 10, of: ratio), hex: "010002f40100000a00"),
    Example(operation: Delta(.differential, magnitude: 25_331.25, of: pressure), hex: "0b40f36200"),
    Example(operation: Threshold(.binary, boundary: 1, of: axis), hex: "0d000800000000"),
    Example(operation: Threshold(.binary, boundary: 0.5, of: length), hex: "09002000000000"),
    Example(operation: Buffer(of: acceleration), hex: "05"),
    Example(operation: Packer(4, of: temperature), hex: "0103"),
    Example(operation: Accounter(.tick, of: acceleration), hex: "3103"),
    Example(operation: Accounter(.number, of: acceleration), hex: "3003"),
    Example(operation: Fuser([4]), hex: "01040000000000000000000000"),
  ]
  static let magnetic = SampleLayout.numbers(Numbers(width: 2, scale: 16, unit: .ut))

  @Test(arguments: examples)
  func `bytes stand in the reference`(_ example: Example) {
    #expect(example.operation.bytes.hex == example.hex)
  }

  @Test(arguments: examples)
  func `a configuration reads back as it was written, zeros behind it or not`(_ example: Example) throws {
    let operation = example.operation
    for padding in [0, 20 - operation.bytes.count] where !(operation is Comparator) || padding == 0 {
      let told = operation.bytes + Array(repeating: 0, count: max(0, padding))
      let read = try #require(
        ProcessorOperations.decode(type(of: operation).code, told, on: example.dialect))
      #expect(read.bytes.hex == example.hex || read is Average)
      #expect(read.name == operation.name)
    }
  }

  @Test(arguments: examples)
  func `what is too short is refused`(_ example: Example) {
    #expect(
      ProcessorOperations.decode(type(of: example.operation).code, [], on: example.dialect) == nil)
  }

  @Test func `references of seven bytes are made unmistakable`() {
    let three = Comparator(.equal, [24, 25, 26], of: Self.temperature, on: Self.current)
    #expect(three.bytes.hex == "03c000c800d000")
    #expect(three.unmistakable.bytes.hex == "03c000c800d000d000")
    let two = Comparator(.equal, [24, 25], of: Self.temperature, on: Self.current)
    #expect(two.unmistakable == two)
    let old = Comparator(.equal, [24], of: Self.temperature, on: Self.old)
    #expect(old.bytes.count == 7)
    #expect(old.unmistakable == old)
  }

  @Test func `outputs have their shape and keep their unit where it stands`() {
    func numbers(_ operation: any ProcessorOperation, _ input: SampleLayout) -> Numbers? {
      operation.output(of: input).numbers
    }
    #expect(numbers(Combiner(.rms, of: Self.acceleration), Self.acceleration) == Self.length.numbers)
    #expect(numbers(Accumulator(.count, of: Self.pressure, size: 2), Self.pressure) == .plain(2))
    #expect(numbers(Accumulator(.sum, of: Self.axis, size: 4), Self.axis)?.width == 4)
    #expect(numbers(Accumulator(.sum, of: Self.axis, size: 4), Self.axis)?.unit == .g)
    let threshold = Threshold(.binary, boundary: 1, of: Self.axis)
    #expect(numbers(threshold, Self.axis) == .plain(1, isSigned: true))
    #expect(numbers(Delta(.differential, magnitude: 1, of: Self.pressure), Self.pressure)?.isSigned == true)
    #expect(
      numbers(Comparator(.less, [1, 2], .zone, of: Self.axis, on: Self.current), Self.axis) == .plain(1))
    #expect(numbers(Pulse(.width, threshold: 1, samples: 1, of: Self.axis), Self.axis) == .plain(2))
    #expect(numbers(Pulse(.area, threshold: 1, samples: 1, of: Self.axis), Self.axis)?.width == 4)
    let shifted = MathOperation(.rightShift, 8, of: Self.axis, on: Self.current)
    #expect(numbers(shifted, Self.axis) == .plain(1, isSigned: true))
    let root = MathOperation(.squareRoot, of: Self.axis, on: Self.current)
    #expect(numbers(root, Self.axis) == .plain(4))
    let difference = MathOperation(.subtract, 1, of: Self.pressure, on: Self.current)
    #expect(numbers(difference, Self.pressure)?.isSigned == true)
    #expect(numbers(difference, Self.pressure)?.scale == 256)
    #expect(difference.rightSide == 256)
    #expect(
      numbers(Average(of: Self.ratio, depth: 2, isHighPass: true, on: Self.current), Self.ratio)?.isSigned
        == true)
    let late = TimeLimiter(.differential, milliseconds: 1, of: Self.pressure, on: Self.current)
    #expect(numbers(late, Self.pressure)?.isSigned == true)
  }

  @Test func `what a board cannot compute is refused in words`() {
    func refusal(_ operation: any ProcessorOperation, _ input: SampleLayout, _ dialect: ProcessorDialect)
      -> String?
    { operation.refusal(of: input, on: dialect)?.reason }
    let accelerationOld = refusal(
      Average(of: Self.acceleration, depth: 4, on: Self.old), Self.acceleration, Self.old)
    #expect(accelerationOld == "takes at most 4 bytes, not 6")
    #expect(
      refusal(Average(of: Self.acceleration, depth: 4, on: Self.current), Self.acceleration, Self.current)
        == nil)
    #expect(
      refusal(Combiner(.rms, of: Self.quaternion), Self.quaternion, Self.current)?.contains("fractions")
        == true)
    #expect(refusal(Combiner(.rms, of: Self.axis), Self.axis, Self.current) == "takes a vector")
    #expect(
      refusal(Packer(3, of: Self.acceleration), Self.acceleration, Self.current)?.contains("18 bytes") == true
    )
    #expect(refusal(Packer(2, of: Self.acceleration), Self.acceleration, Self.current) == nil)
    #expect(refusal(Fuser([0]), Self.axis, Self.old)?.contains("revision 1") == true)
    #expect(refusal(Pulse(.peak, threshold: 1, samples: 1, of: Self.axis), Self.axis, Self.current) != nil)
    #expect(refusal(Pulse(.peak, threshold: 1, samples: 1, of: Self.axis), Self.axis, Self.old) == nil)
    #expect(refusal(Comparator(.less, [1, 2], of: Self.axis, on: Self.old), Self.axis, Self.old) != nil)
    let seven = Comparator(.less, [1, 2, 3, 4, 5, 6, 7], of: Self.axis, on: Self.current)
    #expect(refusal(seven, Self.axis, Self.current)?.contains("holds 6 references") == true)
    #expect(refusal(Accounter(.tick, of: Self.quaternion), Self.quaternion, Self.current) != nil)
    #expect(refusal(SampleDelay(2, of: Self.quaternion), Self.quaternion, Self.old) != nil)
    #expect(refusal(SampleDelay(2, of: Self.quaternion), Self.quaternion, Self.current) == nil)
  }

  @Test func `states are written in their unit`() {
    let sum = Accumulator(.sum, of: Self.pressure, size: 4)
    #expect(sum.stateBytes(101_325, of: Self.pressure)?.hex == "00cd8b01")
    #expect(Passthrough(.count).stateBytes(20, of: Self.pressure)?.hex == "1400")
    #expect(Buffer(of: Self.axis).stateBytes(-1, of: Self.axis)?.hex == "00f8")
    #expect(Packer(2, of: Self.axis).stateBytes(1, of: Self.axis) == nil)
  }

  @Test func `definitions read back with their source`() throws {
    let signal = Signal(address: SignalAddress(Accelerometer.data), layout: Self.acceleration)
    let definition = ProcessorDefinition(on: signal, Combiner(.rms, of: Self.acceleration))
    #expect(definition.command.hex == "09020304ffa007a500")
    let reply = bytes("09820304ffa007a500000000d007000000000000")
    #expect(ProcessorDefinition(reply, on: Self.old) == definition)
    #expect(ProcessorDefinition(bytes("0982"), on: Self.old) == nil)
    #expect(ProcessorDefinition(bytes("09820304ffa004a500"), on: Self.old) == nil)
  }
}
