import Testing

@testable import MetaMotion

struct SignalTests {
  private func root(_ name: String, _ index: UInt8? = nil) throws -> Signal {
    try #require(SensorModules.signal(named: name, on: .bmi160)).signal(index: index)
  }

  @Test func `slices stand in the reference`() throws {
    let acceleration = try root("acceleration")
    #expect(acceleration.address.bytes + [acceleration.slice.byte] == bytes("0304ffa0"))
    #expect(acceleration.component(1)?.slice.byte == 0x22)
    #expect(acceleration.component(3) == nil)
    #expect(try root("quaternion").slice.byte == 0xE0)
    #expect(try root("battery").component(1)?.slice.byte == 0x21)
    #expect(try root("temperature", 1).component(0) == nil)
    #expect(Slice(0x22) == Slice(offset: 2, length: 2))
  }

  @Test func `who hears a read depends on the firmware (trap T51)`() throws {
    let temperature = try root("temperature", 1)
    let current = temperature.heardByProcessors(on: ProcessorOperationTests.current)
    #expect(current.address.bytes == bytes("048101"))
    let old = temperature.heardByProcessors(on: ProcessorOperationTests.old)
    #expect(old.address.bytes == bytes("04c101"))
    #expect(current.heardByLoggers.address.bytes == bytes("04c101"))
    let acceleration = try root("acceleration")
    #expect(acceleration.heardByProcessors(on: ProcessorOperationTests.current) == acceleration)
    #expect(acceleration.heardByLoggers == acceleration)
  }

  @Test func `loggers take four bytes each`() throws {
    let slices = LoggerEntry.chunks(of: try root("corrected-magnetic-field")).map(\.slice.byte)
    #expect(slices == [0x60, 0x64, 0x68, 0x0C])
    let y = try #require(try root("acceleration").component(1))
    #expect(LoggerEntry.chunks(of: y).map(\.command) == [bytes("0b020304ff22")])
  }

  @Test func `addresses read back`() {
    for access in [SignalAddress.Access.notified, .read, .silentRead] {
      let address = SignalAddress(Temperature.temperature.register, access, index: 1)
      #expect(SignalAddress(address.bytes, at: 0) == address)
    }
    #expect(SignalAddress(bytes("5501ff"), at: 0) == nil)
    #expect(SignalAddress(bytes("0441ff"), at: 0) == nil)
    #expect(SignalAddress(bytes("0401"), at: 0) == nil)
  }

  @Test(arguments: [("1.7.3", (1, 7, 3)), ("1.7", (1, 7, 0)), ("", (0, 0, 0)), ("x.2.10", (0, 2, 10))])
  func `firmware`(text: String, parts: (Int, Int, Int)) {
    #expect(FirmwareVersion(text) == FirmwareVersion(parts.0, parts.1, parts.2))
    #expect(FirmwareVersion(1, 10, 0) > FirmwareVersion(1, 9, 9))
  }
}
