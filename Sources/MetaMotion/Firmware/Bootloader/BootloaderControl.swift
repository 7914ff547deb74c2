import BoardKit
import FleetModel

/// Carries out what `BootloaderTransfer` says, over one link to a board in its bootloader.
final class BootloaderControl: BootloaderDriver {
  private let conversation: Conversation
  /// What the control point notified and was not taken yet.
  private var inbox: [[UInt8]] = []

  /// An answer is 7 bytes at most, and a transfer has few on the way.
  private static let largestInbox = 64
  /// Until the board ends the link.
  private static let drop = TransferLimits.drop

  init(conversation: Conversation) { self.conversation = conversation }

  func identify() async throws(ProtocolFailure) -> BootloaderDescription {
    // Some bootloaders do not say it.
    if let bytes = try? await conversation.read(Attributes.bootloaderVersion),
      let version = DFUVersion(bytes), !version.isSupported
    {
      throw .unexpected(
        version.isApplication
          ? "what answers is an application and no bootloader"
          : "the bootloader speaks DFU \(version), which the gateway does not")
    }
    let values = try await conversation.read([
      Attributes.serialNumber, Attributes.modelNumber, Attributes.hardwareRevision,
      Attributes.firmwareRevision,
    ])
    guard values.count == 4 else { throw .unexpected("the bootloader did not say who it is") }
    let texts = DeviceInformation(
      firmwareRevision: values[3], modelNumber: values[1], hardwareRevision: values[2], manufacturer: [],
      serialNumber: values[0])
    return BootloaderDescription(
      serialNumber: texts.serialNumber, modelNumber: texts.modelNumber,
      hardwareRevision: texts.hardwareRevision, version: texts.firmwareRevision)
  }

  func leave() async throws(ProtocolFailure) {
    try await conversation.write(
      BootloaderRequest.reset.bytes, to: Attributes.bootloaderControl, as: .request)
    _ = await conversation.linkEnds(within: Self.drop)
  }

  func received(_ packet: RawSpan, from characteristic: Characteristic) {
    guard characteristic == Attributes.bootloaderControl, inbox.count < Self.largestInbox else { return }
    inbox.append(packet.withUnsafeBytes { Array($0) })
    conversation.signalProgress()
  }

  func install(
    _ image: any InstallableImage, window: Int, progress: (TransferProgress) async -> Void
  ) async throws(TransferFailure) {
    guard let firmware = image as? InstallableFirmware else {
      throw TransferFailure(.refused, "the image is for boards of another family")
    }
    var transfer = BootloaderTransfer(firmware.image, window: window)
    var effects = transfer.next(.ready, at: conversation.uptime)
    // What came before is no answer to what was not asked.
    inbox = []
    var deadline = conversation.uptime
    while true {
      // Also where something cannot be written, and what comes behind it is left out.
      for case .wait(let limit) in effects { deadline = conversation.uptime + limit }
      var event: BootloaderTransfer.Event?
      for effect in effects {
        switch effect {
        case .writeControl(let bytes):
          event = await write(bytes, to: Attributes.bootloaderControl, as: .request)
        case .writePacket(let bytes):
          event = await write(bytes, to: Attributes.bootloaderPacket, as: .command)
        case .wait: break
        case .done: return
        case .aborted: throw TransferFailure(.again, "the transfer was aborted")
        case .failed(let failure): throw failure.transferFailure
        }
        if event != nil { break }
      }
      await progress(TransferProgress(sent: transfer.confirmed, total: image.size))
      let next = if let event { event } else { await nextEvent(until: deadline) }
      effects = transfer.next(next, at: conversation.uptime)
    }
  }

  /// What happened instead; nil where it was written.
  private func write(
    _ bytes: [UInt8], to characteristic: Characteristic, as kind: WriteKind
  ) async -> BootloaderTransfer.Event? {
    do throws(ProtocolFailure) {
      try await conversation.write(bytes, to: characteristic, as: kind)
      return nil
    } catch {
      return conversation.ending == nil ? .writeFailed : .linkEnded
    }
  }

  private func nextEvent(until deadline: Duration) async -> BootloaderTransfer.Event {
    while inbox.isEmpty, conversation.uptime < deadline {
      do throws(ProtocolFailure) {
        try await conversation.awaitProgress(within: deadline - conversation.uptime)
      } catch {
        return .linkEnded
      }
    }
    return inbox.isEmpty ? .timedOut : .received(inbox.removeFirst())
  }
}

extension BootloaderFailure {
  /// What helps against it.
  var transferFailure: TransferFailure {
    let kind: TransferFailure.Kind =
      if self == .refused(.start, .invalidState) { .leftOver } else if isOverrun { .slower } else if isFinal {
        .refused
      } else { .again }
    return TransferFailure(kind, description)
  }
}
