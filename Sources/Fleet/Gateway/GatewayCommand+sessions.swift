import FleetModel
import Storage

/// Deleting what is archived.
extension GatewayCommand {
  func delete(_ request: SessionDeletionRequest, _ gateway: isolated Gateway) async -> CommandOutcome {
    let store = gateway.environment.store
    let (logs, streams): ([DeletableLog], [KeptStream])
    do throws(StoreFailure) {
      (logs, streams) = (try await store.logDeletion.deletable(), try await store.kept.streams())
    } catch {
      return .failed(CommandFailure(.internal, "the archive cannot be read: \(error)"))
    }
    let deletion: SessionDeletion
    do throws(CommandFailure) {
      deletion = try SessionDeletion(request, logs: logs, streams: streams)
    } catch {
      return .failed(error)
    }
    if request.isPreview { return .done(evidence: nil, data: deletion.answer(deleted: deletion.count)) }
    if var failure = deletion.failure {
      failure.data = deletion.answer(deleted: 0)
      return .failed(failure)
    }
    do throws(StoreFailure) {
      let deleted =
        try await store.logDeletion.delete(deletion.logs.map(\.session.id), undelivered: request.undelivered)
        + store.kept.delete(deletion.streams.map(\.id))
      // Nobody finds them any more; what they took is given back as well as can be, and the rest with the next rounds.
      await MaintenanceLoop.cleanArchive(gateway)
      await KeptStreamsCleaning.run(for: gateway)
      return .done(evidence: nil, data: deletion.answer(deleted: deleted))
    } catch {
      return .failed(CommandFailure(.internal, "the sessions cannot be deleted: \(error)"))
    }
  }
}
