/// Which directory of sysfs is the USB device of a Bluetooth adapter.
enum USBDevice {
  /// Whether `name` is one that the kernel gives to adapters: `hci` and a number. Everything else would lead elsewhere
  /// in the file system.
  static func isAdapter(_ name: String) -> Bool {
    let number = name.utf8.dropFirst(3)
    return name.hasPrefix("hci") && (1...5).contains(number.count)
      && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// The link below `sysfs` that leads to the adapter's own directory.
  static func link(to adapter: String, in sysfs: String) -> String { "\(sysfs)/class/bluetooth/\(adapter)" }

  /// The nearest directory at or above `directory` that is a USB device: it can be authorized and has a vendor. (An
  /// interface of a device has only the first.) nil where there is none below `sysfs`. Both are paths without links.
  static func directory(
    above directory: String, in sysfs: String, hasFile: (String) -> Bool
  ) -> String? {
    var place = directory[...]
    while place.hasPrefix(sysfs + "/"), let slash = place.lastIndex(of: "/") {
      if hasFile("\(place)/authorized"), hasFile("\(place)/idVendor") { return String(place) }
      place = place[..<slash]
    }
    return nil
  }

  /// The file whose 0 takes the drivers off the device and whose 1 has them set it up from the beginning.
  static func authorized(_ directory: String) -> String { "\(directory)/authorized" }
}
