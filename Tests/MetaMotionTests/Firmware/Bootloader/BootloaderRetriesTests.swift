import Testing

@testable import MetaMotion

@Suite struct BootloaderRetriesTests {
  @Test func `D05 the window shrinks until the bootloader keeps up`() {
    let overrun = BootloaderFailure.refused(.sendImage, .operationFailed)
    var retries = BootloaderRetries(limit: 4)
    #expect(retries.window == 10)
    #expect(retries.failed(overrun) == .again(window: 4))
    #expect(retries.failed(overrun) == .again(window: 1))
    #expect(retries.failed(overrun) == .again(window: 1))
    #expect(retries.failed(overrun) == .giveUp(overrun))
  }

  @Test func `D05 a window of one's own shrinks, too`() {
    var retries = BootloaderRetries(window: 6)
    #expect(retries.failed(.refused(.sendImage, .operationFailed)) == .again(window: 4))
  }

  @Test(arguments: [
    BootloaderFailure.refused(.validate, .checksum), .linkEnded(.sendImage), .silent(.start),
    .refused(.start, .invalidState), .miscounted(sent: 200, received: 180), .tooSlow, .notActivated,
  ])
  func `D01 D03 D06 what may pass is tried three times, with the same window`(failure: BootloaderFailure) {
    var retries = BootloaderRetries()
    #expect(retries.failed(failure) == .again(window: 10))
    #expect(retries.failed(failure) == .again(window: 10))
    #expect(retries.failed(failure) == .giveUp(failure))
    #expect(retries.failures == 3)
  }

  @Test(arguments: [
    BootloaderFailure.refused(.start, .notSupported), .refused(.start, .sizeLimit),
    .refused(.initPacket, .operationFailed),
  ])
  func `D03 D13 what the board will refuse again is not tried again`(failure: BootloaderFailure) {
    var retries = BootloaderRetries()
    #expect(retries.failed(failure) == .giveUp(failure))
  }
}
