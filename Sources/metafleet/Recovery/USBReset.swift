import EventLoops
import FleetModel
import Glibc
import Storage

/// Switches the USB device of a Bluetooth adapter off and on, by its file `authorized` in sysfs.
struct USBReset: Sendable {
  /// Where sysfs is; a copy of it, for tries.
  let sysfs: String
  let loop: EventLoop

  /// How long the device stays off.
  static let pause: Duration = .milliseconds(500)

  /// The directory of the adapter's USB device.
  func device(of adapter: String) throws(RecoveryFailure) -> String {
    guard USBDevice.isAdapter(adapter), let root = Self.resolved(sysfs),
      let directory = Self.resolved(USBDevice.link(to: adapter, in: root))
    else { throw .noAdapter(adapter) }
    guard let device = USBDevice.directory(above: directory, in: root, hasFile: { access($0, F_OK) == 0 })
    else { throw .notUSB(adapter) }
    return device
  }

  /// Takes about half a second, and is not cut short by a cancellation: the device would stay off.
  func run(_ device: String) async throws(RecoveryFailure) {
    let file = USBDevice.authorized(device)
    try Self.write("0", to: file)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      loop.schedule(after: Self.pause) { continuation.resume() }
    }
    try Self.write("1", to: file)
  }

  /// The path without links; nil where it leads nowhere.
  private static func resolved(_ path: String) -> String? {
    guard let place = realpath(path, nil) else { return nil }
    defer { free(place) }
    return String(cString: place)
  }

  private static func write(_ text: String, to path: String) throws(RecoveryFailure) {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw .failed(PathFailure.text(path, "written")) }
    defer { close(file) }
    guard Console.send(Array(text.utf8), to: file) else {
      throw .failed(PathFailure.text(path, "written"))
    }
  }
}
