/// Why a transfer to a bootloader failed: a sentence for the operator.
package enum BootloaderFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bootloader answered a request with something else than success.
  case refused(BootloaderRequest.Code, BootloaderAnswer.Status)
  /// It left a request, or packets of the image, unanswered for as long as it may take.
  case silent(BootloaderRequest.Code)
  /// The link ended in the midst of it.
  case linkEnded(BootloaderRequest.Code)
  /// Something could not be written.
  case notWritten(BootloaderRequest.Code)
  /// It counts other bytes than were sent.
  case miscounted(sent: Int, received: Int)
  /// The image took longer than at a thousand bytes a second.
  case tooSlow
  /// The image is valid, but the board does not start it: it stays connected.
  case notActivated

  /// Whether the bootloader could not take packets as fast as they came: fewer at a time may help.
  var isOverrun: Bool { self == .refused(.sendImage, .operationFailed) }

  /// Whether the same image will fail in the same way.
  package var isFinal: Bool {
    switch self {
    case .refused(.start, .notSupported), .refused(.start, .sizeLimit),
      .refused(.initPacket, .operationFailed):
      true
    default: false
    }
  }

  package var description: String {
    switch self {
    case .refused(.start, .invalidState): "the bootloader is still in an earlier transfer"
    case .refused(.start, .notSupported): "the bootloader takes no image of this kind"
    case .refused(.start, .sizeLimit): "the image is too large for the board"
    case .refused(.initPacket, .operationFailed):
      "the bootloader refuses the image by its init packet: it is made for other boards, or the bootloader is too old"
    case .refused(.sendImage, .operationFailed): "the bootloader could not take the image as fast as it came"
    case .refused(.validate, .checksum): "the image did not come whole: its checksum is wrong"
    case .refused(.validate, .invalidState): "the image did not come whole: bytes are missing"
    case .refused(let request, let status):
      "the bootloader refused \(request.title): \(status.title)"
    case .silent(let request): "the bootloader left \(request.title) unanswered"
    case .linkEnded(let request): "the link ended during \(request.title)"
    case .notWritten(let request): "\(request.title) could not be written"
    case .miscounted(let sent, let received):
      "\(sent) bytes of the image were sent, and the bootloader counts \(received)"
    case .tooSlow:
      "the transfer was slower than a thousand bytes a second: the radio is busy, or the board far away"
    case .notActivated: "the image is valid, but the board did not start it"
    }
  }
}

extension BootloaderRequest.Code {
  var title: String {
    switch self {
    case .start: "the start of the transfer"
    case .initPacket: "the init packet"
    case .sendImage: "the image"
    case .validate: "the check of the image"
    case .activate: "the start of the image"
    case .reset: "the reset"
    case .countBytes: "the question for bytes"
    case .receipts: "the request for receipts"
    }
  }
}

extension BootloaderAnswer.Status {
  var title: String {
    switch self {
    case .success: "success"
    case .invalidState: "invalid state"
    case .notSupported: "not supported"
    case .sizeLimit: "data size exceeds limit"
    case .checksum: "crc error"
    case .operationFailed: "operation failed"
    case .other(let number): "status \(number)"
    }
  }
}
