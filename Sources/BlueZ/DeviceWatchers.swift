import BoardKit
import FleetModel

/// Who waits for what becomes of devices.
struct DeviceWatchers: Sendable {
  private var wakers: [DeviceKey: [LoopWaker]] = [:]

  /// `waker` wakes with every change of the device until it is removed.
  mutating func add(_ waker: LoopWaker, for key: DeviceKey) { wakers[key, default: []].append(waker) }

  mutating func remove(_ waker: LoopWaker, for key: DeviceKey) {
    wakers[key]?.removeAll { $0 === waker }
    if wakers[key]?.isEmpty == true { wakers[key] = nil }
  }

  func wake(_ key: DeviceKey) { for waker in wakers[key] ?? [] { waker.wake() } }

  func wake(_ adapter: AdapterID) { for key in wakers.keys where key.adapter == adapter { wake(key) } }
}
