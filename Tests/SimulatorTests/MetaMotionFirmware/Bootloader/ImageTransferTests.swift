import Testing

@testable import Simulator

/// The protocol without time; what is answered to a host is also in the vectors.
struct ImageTransferTests {
  private let image = TestImage.bytes(60)
  private var transfer: ImageTransfer

  init() { transfer = Self.transfer() }

  private static func transfer(_ change: (inout BootloaderTraits) -> Void = { _ in }) -> ImageTransfer {
    var traits = BootloaderTraits()
    change(&traits)
    return ImageTransfer(
      .init(
        traits: traits, device: BootloaderTraits.device(of: .r), room: traits.room(on: .r),
        revision: FirmwareRevision([0, 3, 3])))
  }

  /// Up to the image.
  private mutating func begin() {
    _ = transfer.control([1, 4])
    #expect(transfer.packet(TestImage.sizes(application: image.count)) == [.erase(image.count)])
    #expect(transfer.flashErased() == [.answer(.start, .success)])
    _ = transfer.control([2, 0])
    _ = transfer.packet(TestImage.initPacket(of: image))
    #expect(transfer.control([2, 1]) == [.answer(.initPacket, .success)])
    _ = transfer.control([3])
  }

  @Test mutating func `Data that nobody announced is ignored without a word`() {
    #expect(transfer.packet([1, 2, 3, 4]) == [] && !transfer.hasBegun)
  }

  @Test mutating func `Whatever is asked for while the flash is erased comes too early`() {
    _ = transfer.control([1, 4])
    _ = transfer.packet(TestImage.sizes(application: 60))
    _ = transfer.control([2, 0])
    #expect(transfer.packet([0, 0, 0, 0]) == [.answer(.initPacket, .invalidState)])
    _ = transfer.control([3])
    #expect(transfer.packet([0, 0, 0, 0]) == [.answer(.image, .invalidState)])
    #expect(transfer.control([5]) == [.reset])
  }

  @Test mutating func `How much has come is known by bytes and in percent`() {
    begin()
    #expect(transfer.expectsImage && transfer.percent == 0)
    _ = transfer.packet(Array(image[0..<20]))
    #expect(transfer.percent == 33)
    #expect(transfer.control([7]) == [.tellSize(20)])
  }

  @Test mutating func `A receipt request counts from the beginning, and none comes for the last packet`() {
    begin()
    _ = transfer.control([8, 2, 0])
    #expect(transfer.packet(Array(image[0..<20])) == [])
    _ = transfer.control([8, 2, 0])
    #expect(transfer.packet(Array(image[20..<40])) == [])
    #expect(transfer.packet(Array(image[40..<60])) == [.answer(.image, .success)])
  }

  @Test mutating func `A validated image is activated with the revision that its init packet claims`() {
    begin()
    for piece in TestImage.pieces(image) { _ = transfer.packet(piece) }
    #expect(transfer.isUnfinished)
    #expect(transfer.control([4]) == [.answer(.validate, .success)])
    #expect(!transfer.isUnfinished)
    #expect(transfer.control([5]) == [.activate(.init(kind: .application, revision: nil))])
  }

  @Test mutating func `An odd piece of the init packet is padded where it ends`() {
    _ = transfer.control([1, 4])
    _ = transfer.packet(TestImage.sizes(application: image.count))
    _ = transfer.flashErased()
    _ = transfer.control([2, 0])
    let packet = TestImage.initPacket(of: image)
    _ = transfer.packet(Array(packet[0..<6]))
    _ = transfer.packet(Array(packet[6...]))
    #expect(transfer.control([2, 1]) == [.answer(.initPacket, .failed)])
  }

  @Test mutating func `What is withdrawn is as if it had not been`() {
    _ = transfer.control([1, 4])
    _ = transfer.packet(TestImage.sizes(application: image.count))
    transfer.withdraw(.start)
    #expect(!transfer.hasBegun && transfer.flashErased() == [])
    begin()
    transfer.withdraw(.initPacket)
    #expect(transfer.packet(Array(image[0..<20])) == [.answer(.image, .invalidState)])
  }

  @Test func `Without checks any device will do, and the checksum stays`() {
    var transfer = Self.transfer { $0.checksDevice = false }
    _ = transfer.control([1, 4])
    _ = transfer.packet(TestImage.sizes(application: image.count))
    _ = transfer.flashErased()
    _ = transfer.control([2, 0])
    _ = transfer.packet(TestImage.initPacket(of: image, type: 99, softDevices: [1], checksum: 7))
    #expect(transfer.control([2, 1]) == [.answer(.initPacket, .success)])
    _ = transfer.control([3])
    for piece in TestImage.pieces(image) { _ = transfer.packet(piece) }
    #expect(transfer.control([4]) == [.answer(.validate, .checksum)])
  }
}
