import Testing

@testable import MetaMotion

@Suite struct BootloaderFailureTests {
  @Test(arguments: [
    (BootloaderFailure.refused(.start, .invalidState), "the bootloader is still in an earlier transfer"),
    (.refused(.receipts, .notSupported), "the bootloader refused the request for receipts: not supported"),
    (.refused(.sendImage, .other(9)), "the bootloader refused the image: status 9"),
    (.silent(.validate), "the bootloader left the check of the image unanswered"),
    (.linkEnded(.initPacket), "the link ended during the init packet"),
    (
      .miscounted(sent: 200, received: 180), "200 bytes of the image were sent, and the bootloader counts 180"
    ),
  ])
  func `a failure is a sentence`(failure: BootloaderFailure, sentence: String) {
    #expect(failure.description == sentence)
  }

  @Test func `only what the image is to blame for is final, and only a full buffer asks for fewer packets`() {
    #expect(BootloaderFailure.refused(.initPacket, .operationFailed).isFinal)
    #expect(!BootloaderFailure.refused(.initPacket, .invalidState).isFinal)
    #expect(!BootloaderFailure.refused(.validate, .checksum).isFinal)
    #expect(BootloaderFailure.refused(.sendImage, .operationFailed).isOverrun)
    #expect(!BootloaderFailure.refused(.sendImage, .notSupported).isOverrun)
  }
}
