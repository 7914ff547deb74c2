package import BoardKit
import FleetModel

/// A device that BlueZ lists: it is connected, so that it does not advertise, or was received while somebody scans, who
/// need not be us.
package struct PresentDevice: Hashable, Sendable {
  package var report: AdvertisementReport
  package var isConnected: Bool

  package init(_ report: AdvertisementReport, isConnected: Bool) {
    (self.report, self.isConnected) = (report, isConnected)
  }
}

extension BlueZRadio {
  /// What BlueZ has received lately or is connected to, also from before this radio was there.
  package var presentDevices: [PresentDevice] { tree.presentDevices(on: setup.adapters, at: now) }
}

extension BlueZTree {
  /// In their order. BlueZ takes the signal strength away from what it has not received for long, or is connected to.
  func presentDevices(on adapters: Set<AdapterID>?, at time: Timestamp) -> [PresentDevice] {
    devicesByKey.filter { adapters?.contains($0.key.adapter) ?? true }
      .filter { $0.value.isConnected || $0.value.rssi != nil }
      .sorted { ($0.key.board, $0.key.adapter) < ($1.key.board, $1.key.adapter) }
      .map { key, device in
        let report = AdvertisementReport(
          board: key.board, adapter: key.adapter, name: device.name,
          rssi: device.isConnected ? nil : device.rssi, services: device.services, time: time)
        return PresentDevice(report, isConnected: device.isConnected)
      }
  }
}
