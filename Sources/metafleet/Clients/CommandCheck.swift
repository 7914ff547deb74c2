import FleetModel

/// Judges a command before it is sent: what is misspelt is said at once, and reaches no gateway (fault F246).
enum CommandCheck {
  /// Throws what is wrong with verb or arguments, by the catalogue of this version. Whether a board can do it, and
  /// whether somebody may, is the gateway's to say.
  static func judge(
    verb: String, arguments: JSONObject, for target: CommandTarget
  ) throws(CommandLineFailure) {
    let addressee = target.addressee
    guard VerbCatalogue.find(verb, for: addressee) != nil else {
      throw CommandLineFailure(.usage, unknown(verb, for: addressee))
    }
    let request = CommandRequest(
      id: "", hasSenderID: true, target: target, verb: verb, arguments: arguments, mode: .now,
      expires: Timestamp(milliseconds: 0), issued: nil, arrived: Timestamp(milliseconds: 0), payloadHash: 0,
      replyTo: ReplyAddress())
    do throws(CommandFailure) { _ = try request.interpret() } catch {
      guard error.code == .invalid else { return }
      throw CommandLineFailure(
        .usage, printable("\(error.message); metafleet verbs \(verb) shows what it takes. Nothing was sent"))
    }
  }

  private static func unknown(_ verb: String, for addressee: VerbDefinition.Addressee) -> String {
    switch VerbCatalogue.all.first(where: { $0.name == verb })?.addressee {
    case .gateway: return "\(verb) is a verb of gateways; send it to gateway:<id>. Nothing was sent"
    case .group: return "\(verb) is a verb of groups; send it to group:<name>. Nothing was sent"
    case .board: return "\(verb) is a verb of boards; send it to a board or a group. Nothing was sent"
    case nil: break
    }
    let near = Suggestion.nearest(to: verb, in: VerbCatalogue.names(for: addressee))
    let advice = near.map { "did you mean \($0)?" } ?? "metafleet verbs lists them"
    return
      "this version knows no verb \(quoted(verb)); \(advice) Nothing was sent; --unchecked sends it to a newer gateway"
  }
}
