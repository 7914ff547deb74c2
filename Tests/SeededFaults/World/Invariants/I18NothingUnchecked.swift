import Dialects
import FleetModel

/// Nothing read from the air or the broker becomes a topic level or a control character.
struct I18NothingUnchecked: Invariant {
  private static let lanes: Set<Substring> = [
    "info", "availability", "state", "config", "led", "live", "record", "event", "reply", "health",
    "adapter", "alarms", "firmware", "rollout",
  ]
  private static let others: Set<[Substring]> = [["gateway", "test"], ["group", "pumps"]]
  private let boards: Set<Substring>

  init(boards: Int) { self.boards = Set(FleetHealth.names(boards).map { Substring($0.description) }) }

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    let publication: Publication
    switch observation {
    case .published(let seen), .swallowed(let seen), .refused(let seen): publication = seen
    default: return nil
    }
    let (levels, message) = (publication.levels, publication.message)
    // A retained request is taken back on its own topic.
    if levels.count == 5, levels[3] == "cmd", message.payload.isEmpty, message.isRetained { return nil }
    let isOurs =
      (4...5).contains(levels.count) && levels[0] == "metafleet" && Self.lanes.contains(levels[3])
      && (levels[1] == "board" && boards.contains(levels[2]) || Self.others.contains(Array(levels[1...2])))
      && levels.allSatisfy { $0.utf8.allSatisfy(Self.isPlain) }
    guard isOurs else { return "published on \(message.topic)" }
    guard !message.payload.contains(where: { $0 < 0x20 }) else {
      return "control characters on \(message.topic): \(publication.text)"
    }
    return nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "-")
  }
}
