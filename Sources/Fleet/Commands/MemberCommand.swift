import FleetModel
import Logging
import Storage

/// The command of one board that is part of something larger: of a group's job, or of a rollout.
struct MemberCommand: Sendable {
  /// As if it had come by itself.
  var request: CommandRequest
  /// What it is part of.
  var job: CommandEntry.Key

  /// What became of the wish to begin it.
  enum Start: Sendable {
    /// It is carried out; its end is told to whatever it is part of.
    case begun(CommandEntry.Key)
    /// It ended before it began; the answer stands in the ledger, so that a restart does not begin it.
    case refused(CommandFailure)
    /// Its id is known already: from this job, or because somebody made use of it.
    case repeated(CommandPrecedent)
  }

  /// Begins it the way every command goes.
  func begin(on dispatcher: isolated CommandDispatcher) async -> Start {
    await dispatcher.start.pass()
    guard let addressee = await dispatcher.routes.addressee(of: request.target) else {
      return await refuse(
        CommandFailure(.unreachable, "the board was removed (forget) in the meantime"), on: dispatcher)
    }
    let targetStatus = await addressee.targetStatus()
    let admitted: CommandAdmission.Admitted
    do throws(CommandFailure) {
      admitted = try dispatcher.admission.admit(
        request, targetStatus, at: dispatcher.timekeeper.now, uptime: dispatcher.timekeeper.uptime)
    } catch {
      return await refuse(error, on: dispatcher)
    }
    do throws(StoreFailure) {
      let precedent = try await dispatcher.begin(
        StoredRequest(request, of: job),
        LiveCommand(request: request, admitted: admitted, board: addressee.board, job: job))
      guard precedent == .fresh else { return .repeated(precedent) }
      let key = dispatcher.records.key(of: request)
      dispatcher.feed.yield(.command(key))
      return .begun(key)
    } catch {
      dispatcher.log.error(
        "the command of a board of a group cannot be stored", metadata: ["reason": "\(error)"])
      return .refused(CommandFailure(.internal, "the command cannot be stored: \(error)"))
    }
  }

  /// Ends it before it begins.
  func refuse(_ failure: CommandFailure, on dispatcher: isolated CommandDispatcher) async -> Start {
    do throws(StoreFailure) {
      let precedent = try await dispatcher.records.end(StoredRequest(request, of: job), failure)
      await dispatcher.routes.published()
      return precedent == .fresh ? .refused(failure) : .repeated(precedent)
    } catch {
      dispatcher.log.error(
        "the reply of a board of a group cannot be stored", metadata: ["reason": "\(error)"])
      return .refused(failure)
    }
  }
}
