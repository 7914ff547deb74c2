import Testing

@testable import Simulator

struct ImageSizesTests {
  private func refusal(_ softDevice: Int, _ bootloader: Int, _ application: Int) throws -> BootloaderStatus? {
    try #require(
      ImageSizes(TestImage.sizes(softDevice: softDevice, bootloader: bootloader, application: application))
    )
    .refusal(room: 1000)
  }

  @Test func `An application comes alone, the others alone or together, in whole words`() throws {
    #expect(try refusal(0, 0, 1000) == nil && refusal(400, 600, 0) == nil && refusal(0, 40, 0) == nil)
    #expect(try refusal(4, 0, 4) == .notSupported && refusal(0, 4, 4) == .notSupported)
    #expect(try refusal(0, 0, 6) == .notSupported && refusal(0, 0, 0) == .notSupported)
    #expect(try refusal(0, 0, 1004) == .tooLarge && refusal(1000, 4, 0) == .tooLarge)
    #expect(try refusal(0xFFFF_FFFC, 0xFFFF_FFFC, 0) == .tooLarge)
  }

  @Test func `What is sent says what kind it is`() {
    func kind(_ sizes: [UInt8]) -> ImageKind? { ImageSizes(sizes)?.kind }
    #expect(kind(TestImage.sizes(application: 4)) == .application)
    #expect(kind(TestImage.sizes(bootloader: 4)) == .bootloader)
    #expect(kind(TestImage.sizes(softDevice: 4)) == .softDevice)
    #expect(kind(TestImage.sizes(softDevice: 4, bootloader: 4)) == .softDeviceAndBootloader)
    #expect(ImageSizes([1, 2, 3]) == nil)
  }
}
