/// What kind of firmware an image is.
package enum ImageKind: Sendable, CaseIterable {
  case application, bootloader, softDevice, softDeviceAndBootloader
}

/// What a host announces: the sizes of three images in bytes, of which those that are not sent are 0.
struct ImageSizes: Equatable, Sendable {
  private static let length = 12
  private static let alignment = 4

  let softDevice: Int
  let bootloader: Int
  let application: Int

  var total: Int { softDevice + bootloader + application }

  /// Of what is sent.
  var kind: ImageKind {
    if application > 0 { return .application }
    if softDevice > 0 { return bootloader > 0 ? .softDeviceAndBootloader : .softDevice }
    return .bootloader
  }

  /// Nil for a packet of another length.
  init?(_ packet: [UInt8]) {
    guard packet.count == Self.length, let softDevice = UInt32(littleEndian: packet, at: 0),
      let bootloader = UInt32(littleEndian: packet, at: 4),
      let application = UInt32(littleEndian: packet, at: 8)
    else { return nil }
    self.softDevice = Int(softDevice)
    self.bootloader = Int(bootloader)
    self.application = Int(application)
  }

  /// Why they are refused where so many bytes are free; nil if they are not.
  func refusal(room: Int) -> BootloaderStatus? {
    let areTogether = application > 0 && softDevice + bootloader > 0
    let areWhole = [softDevice, bootloader, application].allSatisfy { $0 % Self.alignment == 0 }
    guard total > 0, !areTogether, areWhole else { return .notSupported }
    return total > room ? .tooLarge : nil
  }
}
