import Foundation

/// A copy of what sysfs has of two Bluetooth adapters: hci0 on a UART, hci1 a USB dongle.
struct SysfsTree {
  let root: URL

  private static let dongle = "devices/pci0000:00/usb1/1-4"
  private static let adapters = [
    "hci0": "devices/platform/soc/serial0/bluetooth/hci0", "hci1": "\(dongle)/1-4:1.0/bluetooth/hci1",
  ]

  /// Makes it in an empty directory.
  init(in root: URL) throws {
    self.root = root
    let links = root.appending(path: "class/bluetooth")
    try FileManager.default.createDirectory(at: links, withIntermediateDirectories: true)
    for (name, place) in Self.adapters {
      try FileManager.default.createDirectory(
        at: root.appending(path: place), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: links.appending(path: name).path, withDestinationPath: "../../\(place)")
    }
    // Of the root hub and of the dongle; the dongle's interface has no vendor.
    for file in ["usb1/idVendor", "usb1/1-4/idVendor"] {
      try write("1d6b\n", to: "devices/pci0000:00/\(file)")
    }
    for file in ["usb1/authorized", "usb1/1-4/authorized", "usb1/1-4/1-4:1.0/authorized"] {
      try write("1\n", to: "devices/pci0000:00/\(file)")
    }
  }

  /// The dongle's file.
  var authorized: URL { root.appending(path: "\(Self.dongle)/authorized") }

  /// What the dongle's file says.
  var state: String {
    get throws {
      try String(contentsOf: authorized, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  private func write(_ text: String, to path: String) throws {
    try text.write(to: root.appending(path: path), atomically: false, encoding: .utf8)
  }
}
