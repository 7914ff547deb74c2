import Testing

@testable import metafleet

@Suite struct USBDeviceTests {
  @Test(arguments: ["hci0", "hci1", "hci12", "hci65535"])
  func `the kernel's names of adapters are taken`(name: String) { #expect(USBDevice.isAdapter(name)) }

  @Test(arguments: [
    "", "hci", "hci ", "../x", "hci0/../../x", "hci/0", "hci0:11", "hci٣", "hci123456", "HCI0", "usb1",
    "hci-1",
    "hci0\0",
  ])
  func `other names are not, least of all those that lead elsewhere`(name: String) {
    #expect(!USBDevice.isAdapter(name))
  }

  private static let adapter = "/sys/devices/pci0000:00/usb1/1-4/1-4:1.0/bluetooth/hci1"
  private static let files: Set<String> = [
    "/sys/devices/pci0000:00/usb1/authorized", "/sys/devices/pci0000:00/usb1/idVendor",
    "/sys/devices/pci0000:00/usb1/1-4/authorized", "/sys/devices/pci0000:00/usb1/1-4/idVendor",
    "/sys/devices/pci0000:00/usb1/1-4/1-4:1.0/authorized",
  ]

  @Test func `the device is the nearest directory that has both files: neither an interface nor the hub`() {
    let device = USBDevice.directory(above: Self.adapter, in: "/sys", hasFile: Self.files.contains)
    #expect(device == "/sys/devices/pci0000:00/usb1/1-4")
  }

  @Test(arguments: ["/sys/devices/platform/soc/serial0/bluetooth/hci0", "/sys", "/", ""])
  func `without such a directory there is none`(place: String) {
    #expect(USBDevice.directory(above: place, in: "/sys", hasFile: Self.files.contains) == nil)
  }

  @Test func `nothing is looked at outside sysfs`() {
    #expect(USBDevice.directory(above: Self.adapter, in: "/other", hasFile: { _ in true }) == nil)
    #expect(USBDevice.directory(above: "/system/x", in: "/sys", hasFile: { _ in true }) == nil)
  }
}
