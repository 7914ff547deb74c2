import EventLoops
import Foundation
import Testing

@testable import metafleet

@Suite struct USBResetTests {
  private func withTree(_ body: (SysfsTree, USBReset) async throws -> Void) async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    try await withScratchDirectory { directory in
      try await body(try SysfsTree(in: directory), USBReset(sysfs: directory.path, loop: loop))
    }
  }

  @Test func `the dongle's device is found by its link, and authorized in the end`() async throws {
    try await withTree { tree, reset in
      let device = try reset.device(of: "hci1")
      #expect(device.hasSuffix("/devices/pci0000:00/usb1/1-4"))
      try await reset.run(device)
      let state = try tree.state
      #expect(state == "1")
    }
  }

  @Test func `it is switched off, then on`() async throws {
    try await withTree { tree, reset in
      let device = try reset.device(of: "hci1")
      try FileManager.default.removeItem(at: tree.authorized)
      mkfifo(tree.authorized.path, 0o600)
      // For both directions, so that nobody waits for the other to open it.
      let reader = try #require(FileHandle(forUpdatingAtPath: tree.authorized.path))
      try await reset.run(device)
      #expect(try reader.read(upToCount: 2) == Data("01".utf8))
      try reader.close()
    }
  }

  @Test func `a cancelled reset switches on all the same`() async throws {
    try await withTree { tree, reset in
      let device = try reset.device(of: "hci1")
      let task = Task { try await reset.run(device) }
      task.cancel()
      try await task.value
      let state = try tree.state
      #expect(state == "1")
    }
  }

  @Test func `an adapter on a UART is refused`() async throws {
    try await withTree { tree, reset in
      #expect(throws: RecoveryFailure.notUSB("hci0")) { try reset.device(of: "hci0") }
      let state = try tree.state
      #expect(state == "1")
    }
  }

  @Test(arguments: ["hci7", "../x", "../../devices/pci0000:00/usb1", "", "hci1/.."])
  func `what is no adapter is refused`(name: String) async throws {
    try await withTree { _, reset in
      #expect(throws: RecoveryFailure.noAdapter(name)) { try reset.device(of: name) }
    }
  }

  @Test func `a link that leads out of sysfs is followed to no device`() async throws {
    try await withTree { tree, reset in
      try await withScratchDirectory { elsewhere in
        _ = try SysfsTree(in: elsewhere)
        try FileManager.default.createSymbolicLink(
          atPath: tree.root.appending(path: "class/bluetooth/hci2").path,
          withDestinationPath: elsewhere.appending(path: "class/bluetooth/hci1").path)
        #expect(throws: RecoveryFailure.notUSB("hci2")) { try reset.device(of: "hci2") }
      }
    }
  }

  @Test func `a file that cannot be written is named, with the cause`() async throws {
    try await withTree { tree, reset in
      let device = try reset.device(of: "hci1")
      try FileManager.default.removeItem(at: tree.authorized)
      try FileManager.default.createDirectory(at: tree.authorized, withIntermediateDirectories: false)
      let failure = await #expect(throws: RecoveryFailure.self) { try await reset.run(device) }
      #expect(failure?.description.hasSuffix("/1-4/authorized cannot be written: Is a directory") == true)
    }
  }
}
