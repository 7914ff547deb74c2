import Testing

@testable import Simulator

struct LEDPatternTests {
  private func pattern(_ hex: String, revision: UInt8 = 1) throws -> LEDPattern {
    try #require(LEDPattern(payload: [UInt8](hex: hex), revision: revision))
  }

  @Test func `A pulse rises, stays and falls`() throws {
    // High 31, low 1; 300 ms up, 100 ms high, 300 ms down, period 1 s.
    let pulse = try pattern("00 02 1F 01 2C 01 64 00 2C 01 E8 03 00 00 FF")
    let levels = [0, 150, 350, 550, 700, 999, 1150].map { pulse.intensity(after: .milliseconds($0)) }
    #expect(levels == [1, 16, 31, 16, 1, 1, 16])
  }

  @Test func `The delay is honoured from revision 1 on`() throws {
    let bytes = "01 02 1F 00 00 00 F4 01 00 00 E8 03 88 13 0A"
    #expect(try pattern(bytes, revision: 1).intensity(after: .seconds(1)) == 0)
    #expect(try pattern(bytes, revision: 1).intensity(after: .milliseconds(5100)) == 31)
    #expect(try pattern(bytes, revision: 0).intensity(after: .milliseconds(100)) == 31)
    #expect(try pattern(bytes, revision: 0).isRunning(after: .milliseconds(9999)))
    #expect(try !pattern(bytes, revision: 0).isRunning(after: .seconds(10)))
    #expect(try pattern(bytes, revision: 1).isRunning(after: .milliseconds(14999)))
  }

  @Test func `Solid and blink patterns exist as well`() throws {
    #expect(try pattern("00 00").intensity(after: .seconds(1000)) == 31)
    let blink = try pattern("00 01 0A 02 64 00 C8 00 00 00 03")
    #expect(blink.intensity(after: .milliseconds(50)) == 10)
    #expect(blink.intensity(after: .milliseconds(150)) == 2)
    #expect(!blink.isRunning(after: .milliseconds(600)))
  }

  @Test func `A period of zero does not trap`() throws {
    let pulse = try pattern("00 02 1F 00 00 00 00 00 00 00 00 00 00 00 FF")
    #expect(pulse.intensity(after: .seconds(1)) == 0)
    #expect(try !pattern("00 02 1F 00 00 00 00 00 00 00 00 00 00 00 05").isRunning(after: .zero))
  }
}
