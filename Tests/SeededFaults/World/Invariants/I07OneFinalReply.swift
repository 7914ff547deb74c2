import Dialects
import FleetModel

/// Every accepted command produces exactly one final result, also across a crash; and every command that reached a
/// living daemon is answered.
struct I07OneFinalReply: Invariant {
  /// Commands by addressee and id, with whether they were accepted and how they ended.
  private struct Fate: Sendable {
    var isAccepted = false
    var final: [UInt8]?
    /// It reached the daemon, which has lived on since.
    var hasPendingChanges = false
  }

  private var fates: [String: Fate] = [:]

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    switch observation {
    case .commanded(let command):
      let key = "\(command.addressee) \(command.id)"
      if fates[key]?.final == nil { fates[key, default: Fate()].hasPendingChanges = true }
    case .ended:
      // What was not yet accepted may be lost with the process.
      for key in fates.keys where fates[key]?.isAccepted != true { fates[key]?.hasPendingChanges = false }
    case .published(let publication) where publication.lane == "reply": return check(publication)
    default: break
    }
    return nil
  }

  private mutating func check(_ publication: Publication) -> String? {
    guard let document = publication.document, let id = document["id"]?.string,
      let stage = document["stage"]?.string,
      document["duplicate"] == nil
    else { return nil }
    let key = "\(publication.owner) \(id)"
    let payload = publication.message.payload
    switch stage {
    case "accepted": fates[key, default: Fate()].isAccepted = true
    case "done", "failed", "unknown":
      // The same row may come twice; another may not. What was refused before acceptance may be refused again.
      if let final = fates[key]?.final, final != payload, fates[key]?.isAccepted == true {
        return "\(key) has a second final reply: \(publication.text)"
      }
      fates[key, default: Fate()].final = payload
    default: break
    }
    return nil
  }

  func review(at moment: Moment) -> String? {
    let open = fates.filter { ($0.value.isAccepted || $0.value.hasPendingChanges) && $0.value.final == nil }
      .keys
      .sorted()
    return open.isEmpty ? nil : "no final reply to \(open.joined(separator: ", "))"
  }
}
