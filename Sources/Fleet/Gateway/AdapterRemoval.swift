import BoardKit
import Dialects
import FleetModel

/// What becomes of an adapter that is not there: it is missing, until somebody says that it is gone for good, or
/// it has been away for a week.
enum AdapterRemoval {
  /// Takes adapters that earlier runs told of: one that is not there is missing, and of one that is not to be used
  /// nothing is told.
  static func adopt(_ found: [EarlierDocuments.Adapter], by gateway: isolated Gateway) async {
    for adapter in found {
      let isNew = gateway.radio.remembered(adapter.id, name: adapter.name, lastSeen: adapter.lastSeen)
      if isNew, !gateway.uses(adapter.id), adapter.id != .withoutAddress {
        await remove(adapter.id, by: "configuration", from: gateway)
      }
    }
    gateway.services.reportWaker.wake()
  }

  /// Removes those that have been missing for too long. One that the configuration names is waited for.
  static func removeExpired(from gateway: isolated Gateway) async {
    for adapter in gateway.radio.goneForGood(at: MaintenanceLoop.retentionTime(gateway))
    where gateway.configuration.bluetooth.adapters?.contains(adapter) != true {
      await remove(adapter, by: "expiry", from: gateway)
    }
  }

  /// Removes an adapter that is missing, with its document. Whether it was.
  @discardableResult
  static func remove(_ adapter: AdapterID, by cause: String, from gateway: isolated Gateway) async -> Bool {
    guard let status = gateway.radio.forget(adapter) else { return false }
    gateway.documents.forget(adapter)
    await gateway.uplink.deliver([.adapterForgotten(adapter)])
    await gateway.publish(
      .adapter, "forgotten",
      fields: [
        "adapter": .string(adapter.description), "name": .string(status.name), "by": .string(cause),
      ])
    gateway.services.reportWaker.wake()
    return true
  }
}
