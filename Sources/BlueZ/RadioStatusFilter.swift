import BoardKit
import FleetModel

/// What was said of the service and of its adapters: only news is said again. Pure.
struct RadioStatusFilter: Sendable {
  private var service: RadioEvent?
  private var adapters: [AdapterID: AdapterStatus] = [:]

  /// What to say of the service; nil where that was said last.
  mutating func service(isAvailable: Bool, _ message: String) -> RadioEvent? {
    let event = RadioEvent.service(isAvailable: isAvailable, message: message)
    guard service != event else { return nil }
    service = event
    return event
  }

  /// What to say of an adapter; nil where that was said last.
  mutating func adapter(_ status: AdapterStatus) -> RadioEvent? {
    adapters.updateValue(status, forKey: status.id) == status ? nil : .adapter(status)
  }

  /// What to say of adapters that have no address, by their names; nil where that was said last.
  mutating func adaptersWithoutAddress(_ names: [String]) -> RadioEvent? {
    guard !names.isEmpty else { return adapterGone(.withoutAddress) }
    return adapter(
      AdapterStatus(
        id: .withoutAddress, name: names.joined(separator: ", "), state: .failed, isDiscovering: false))
  }

  /// What to say of an adapter that is gone; nil where nobody knew of it.
  mutating func adapterGone(_ id: AdapterID) -> RadioEvent? {
    adapters.removeValue(forKey: id) == nil ? nil : .adapterGone(id)
  }
}
