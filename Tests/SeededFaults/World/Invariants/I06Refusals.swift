import FleetModel

/// A command that arrives retained or expired is refused with a result that says why, and one already seen is answered
/// as before; none of them is carried out.
struct I06Refusals: Invariant {
  private var codes: [String: String] = [:]
  private var marks: Set<UInt16> = []
  private var finals: [String: String] = [:]

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    switch observation {
    case .commanded(let command):
      if case .refusal(let code) = command.expectation {
        codes["\(command.addressee) \(command.id)"] = code
        command.mark.map { _ = marks.insert($0) }
      }
    case .wrote(let board, let bytes):
      if let mark = LightMark.shown(by: bytes), marks.contains(mark) {
        return "led-\(mark) was refused and shown on \(board) all the same"
      }
    case .published(let publication) where publication.lane == "reply":
      return check(publication)
    default: break
    }
    return nil
  }

  private mutating func check(_ publication: Publication) -> String? {
    guard let document = publication.document, let id = document["id"]?.string,
      let stage = document["stage"]?.string
    else { return nil }
    let key = "\(publication.owner) \(id)"
    if let code = codes[key], stage != "failed" || document["code"]?.string != code {
      return "\(key) must be refused as \(code), and is answered: \(publication.text)"
    }
    guard ["done", "failed", "unknown"].contains(stage) else { return nil }
    if document["duplicate"] == true {
      if let first = finals[key], first != stage {
        return "\(key) ended \(first) and is repeated as \(stage)"
      }
    } else {
      finals[key] = stage
    }
    return nil
  }
}
