import Dialects
import FleetModel

/// What a board's answer to `firmware-check` comes to, in one sentence.
enum FirmwareSentence {
  static func text(of reply: ReplyDocument, name: String, now: Timestamp) -> String {
    guard reply[.stage] == .done, let data = reply[.data] else {
      return "\(name): \(reply[.message] ?? "nobody knows which firmware it has")."
    }
    let document = FirmwareDocument(json: data)
    let installed = document[.installed] ?? "unknown"
    guard let latest = document[.latest] else {
      let reason = document[.trouble] ?? "there is no index"
      return "\(name) has firmware \(installed), and what is the newest for it is not known: \(reason)."
    }
    let verdict =
      latest == installed
      ? "\(name) has firmware \(installed), and there is nothing newer for it"
      : "\(name) has firmware \(installed), and \(latest) is the newest for it"
    return verdict + reservation(document, now: now) + "."
  }

  /// What else has to be known of the verdict.
  private static func reservation(_ document: FirmwareDocument, now: Timestamp) -> String {
    guard let trouble = document[.trouble] else { return "" }
    // A check that brought no index leaves the one before.
    guard document[.isCheckOK] == false, let fetched = document[.indexFetched] else {
      return "; mind that \(trouble)"
    }
    return ", by an index of \(Age.text(of: now - fetched)) ago, because the last check failed: \(trouble)"
  }
}
