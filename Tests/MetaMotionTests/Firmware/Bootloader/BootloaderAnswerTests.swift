import FleetModel
import Testing

@testable import MetaMotion

@Suite struct BootloaderAnswerTests {
  @Test(
    arguments: [
      ([0x10, 1, 1], BootloaderAnswer.response(to: .start, .success)),
      ([0x10, 3, 2], .response(to: .sendImage, .invalidState)),
      ([0x10, 9, 3], .response(to: nil, .notSupported)),
      ([0x10, 2, 9], .response(to: .initPacket, .other(9))),
      ([0x10, 2, 0], .response(to: .initPacket, .other(0))),
      ([0x10, 7, 1, 0x34, 0x12, 0, 0], .counted(0x1234)), ([0x11, 0xFF, 0xFF, 0xFF, 0xFF], .receipt(.max)),
    ] as [([UInt8], BootloaderAnswer)])
  func `an answer is read`(bytes: [UInt8], answer: BootloaderAnswer) {
    #expect(BootloaderAnswer(bytes) == answer)
  }

  @Test(
    arguments: [
      [], [0x10], [0x10, 1], [0x10, 1, 1, 1], [0x10, 7, 6, 0, 0, 0, 0], [0x10, 1, 1, 0, 0, 0, 0], [0x11, 0],
      [0x11, 0, 0, 0, 0, 0], [0x12, 1, 1],
    ] as [[UInt8]])
  func `what is cut off, or too long, is none`(bytes: [UInt8]) { #expect(BootloaderAnswer(bytes) == nil) }

  @Test func `versions of DFU`() {
    #expect(DFUVersion([8, 0])?.description == "0.8")
    #expect(DFUVersion([8, 0])?.isSupported == true && DFUVersion([8, 0])?.isApplication == false)
    #expect(DFUVersion([1, 0])?.isApplication == true && DFUVersion([1, 0])?.isSupported == false)
    #expect(DFUVersion([4, 0])?.isSupported == false && DFUVersion([0, 1])?.isSupported == false)
    #expect(DFUVersion([8]) == nil && DFUVersion([]) == nil && DFUVersion([8, 0, 0]) == nil)
  }
}
