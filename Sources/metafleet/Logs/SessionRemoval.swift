import Dialects
import FleetModel

/// Has a gateway delete sessions of its archive: it shows what would go, asks twice, and then does it.
struct SessionRemoval: Sendable {
  let choice: SessionDeletionChoice
  let gateway: String
  /// Whether nobody has to be asked.
  let isConfirmed: Bool
  let json: Bool

  func run(on session: ClientSession, in fleet: FleetView) async throws -> ExitStatus {
    var arguments = try choice.arguments(in: fleet)
    let names = Dictionary(fleet.boards.values.map { ($0.id.description, $0.name) }) { first, _ in first }
    let (status, found) = try await send(arguments.merging(["preview": true]), on: session, in: fleet)
    guard status == .ok, let data = found?[.data] else { return try fail(status, found) }
    let preview = SessionDeletionText(data: data, names: names)
    if !json {
      for line in preview.lines(width: Console.width, isColoured: Console.hasColours) {
        try Console.line(line)
      }
    }
    guard preview.sessions > 0 else {
      if json { try Console.line(JSONText.of(.object(data))) }
      Console.note("metafleet: there is nothing to delete")
      return data["refused"]?.array?.isEmpty == false ? .no : .ok
    }
    guard isConfirmed || Self.ask(preview) else {
      if json { try Console.line(JSONText.of(.object(data))) }
      Console.note("metafleet: nothing is deleted; --yes deletes \(preview.summary) without asking")
      return .no
    }
    // What began meanwhile nobody has seen. By the gateway's clock, which names the beginnings.
    if arguments["before_ms"] == nil, let time = found?[.time] {
      arguments["before_ms"] = .integer(time.milliseconds)
    }
    arguments["confirm"] = .string(gateway)
    let (end, reply) = try await send(arguments, on: session, in: fleet)
    guard end == .ok, let data = reply?[.data] else { return try fail(end, reply) }
    try Console.line(
      json
        ? JSONText.of(.object(data)) : "deleted \(SessionDeletionText(data: data, names: names).summary)")
    return .ok
  }

  private func send(
    _ arguments: JSONObject, on session: ClientSession, in fleet: FleetView
  ) async throws -> (ExitStatus, ReplyDocument?) {
    let request = try SendRequest(
      verb: "sessions-delete", arguments: arguments, isQueued: false, expires: nil, id: nil)
    var final: ReplyDocument?
    let status = try await request.perform(on: session, target: .gateway(gateway), in: fleet, json: json) {
      reply in
      if reply[.stage]?.isFinal == true { final = reply }
      return true
    }
    return (status, final)
  }

  private func fail(_ status: ExitStatus, _ reply: ReplyDocument?) throws -> ExitStatus {
    guard let message = reply?[.message] else { return status }
    throw CommandLineFailure(status == .ok ? .no : status, printable(message))
  }

  /// Twice, and the second time it takes more than a key: nobody can have it back.
  private static func ask(_ preview: SessionDeletionText) -> Bool {
    guard Console.hasKeyboard else { return false }
    Console.draw("Delete \(preview.summary) for good? Type yes: ")
    guard readLine() == "yes" else { return false }
    Console.draw("Nobody can bring them back. Type how many sessions that are, to delete them: ")
    return readLine() == "\(preview.sessions)"
  }
}
