import BoardKit
import Dialects
import FleetModel

/// What the ledger is told: what is true, by the radio and the boards, and what is said, by the broker.
enum Observation: Sendable {
  /// The daemon was started.
  case started
  /// It was killed, or asked to stop.
  case ended(isClean: Bool)
  /// Consumers got a message.
  case published(Publication)
  /// A message was handed to the broker, and no consumer got it.
  case swallowed(Publication)
  case refused(Publication)
  /// A command reached the daemon's subscription.
  case commanded(SeededCommand)
  case link(BoardID, isUp: Bool)
  /// The first packet came over a link.
  case answered(BoardID)
  /// A board got what the daemon wrote.
  case wrote(BoardID, [UInt8])
  /// The daemon read what a board says of itself.
  case read(BoardID, AttributeUUID)
  /// A bootloader's control point got what the daemon wrote.
  case requested(BoardID, [UInt8])
  case connecting(BoardID)
  /// What a board itself shows as its firmware when all is over.
  case shows(BoardID, version: String, isBootloader: Bool)
  /// The daemon ended a link.
  case hungUp(BoardID)
  case forgotten(BoardID)
  /// Something goes wrong from here on, or no longer does.
  case fault(SeededFault)
  case cured(SeededFault)
  /// Nothing goes wrong any more.
  case calm
  /// A second passed.
  case tick
}

/// When something was observed.
struct Moment: Sendable {
  var uptime: Duration
  var time: Timestamp
}

extension Observation: CustomStringConvertible {
  var description: String {
    switch self {
    case .started: "the daemon starts"
    case .ended(let isClean): isClean ? "the daemon is stopped" : "the daemon dies"
    case .published(let publication): "\(publication.message.topic) \(publication.text)"
    case .swallowed(let publication): "swallowed \(publication.message.topic) \(publication.text)"
    case .refused(let publication): "refused \(publication.message.topic) \(publication.text)"
    case .commanded(let command): "commanded \(command)"
    case .link(let board, let isUp): "link of \(board) \(isUp ? "up" : "down")"
    case .answered(let board): "\(board) answers"
    case .wrote(let board, let bytes):
      "\(board) gets \(bytes.map { String($0, radix: 16) }.joined(separator: " "))"
    case .read(let board, let uuid): "\(board) says its \(uuid)"
    case .requested(let board, let bytes):
      "the bootloader of \(board) gets \(bytes.map { String($0, radix: 16) }.joined(separator: " "))"
    case .connecting(let board): "connecting \(board)"
    case .shows(let board, let version, let isBootloader):
      "\(board) shows \(version)\(isBootloader ? " of its bootloader" : "")"
    case .hungUp(let board): "hanging up \(board)"
    case .forgotten(let board): "forgetting \(board)"
    case .fault(let fault): "fault \(fault)"
    case .cured(let fault): "cured \(fault)"
    case .calm: "calm"
    case .tick: "tick"
    }
  }
}
