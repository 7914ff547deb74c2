import Dialects
import FleetModel

/// What the members of a group answer. Each does so by itself, under the job's id with its own behind it (MQTT contract
/// 4.2), so that no message grows with the group.
struct GroupAnswers: Sendable {
  private let job: String
  /// Ids of the members whose final reply came.
  private(set) var told: Set<String> = []
  private var done = 0

  /// Of the job with that id.
  init(job: String) { self.job = job }

  /// Whether it is the final reply of a member, and the first of it.
  mutating func takes(_ reply: ReplyDocument) -> Bool {
    guard let board = reply[.board], reply[.id] == "\(job).\(board)", reply[.stage]?.isFinal == true,
      told.insert(board).inserted
    else { return false }
    if reply[.stage] == .done { done += 1 }
    return true
  }

  /// How many of those that the job's summaries count as done did not answer here.
  func missing(of summary: Int) -> Int { max(0, summary - done) }

  /// A member's answer in one line, by name where there is one; nil where it says no more than that all is done.
  static func line(of reply: ReplyDocument, names: [String: String]) -> String? {
    let id = reply[.board] ?? "?"
    let who = names[id] ?? id
    let data = reply[.data] ?? JSONObject()
    let results = BatchText.lines(of: reply)?.joined(separator: "; ") ?? ReplyText.inline(data)
    switch reply[.stage] {
    case .done: return data.isEmpty ? nil : printable("\(who)  \(results)")
    case .failed:
      let reason = [reply[.code], reply[.message]].compactMap { $0 }.joined(separator: ": ")
      return printable("\(who)  failed: \(reason)")
    default: return printable("\(who)  unknown: \(reply[.message] ?? "it may have run")")
    }
  }
}
