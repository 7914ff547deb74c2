import BoardKit
import Testing

@testable import Simulator

struct AttributeTreeTests {
  private let tree = AttributeTree(of: MetaMotionAttributes.applicationTable, below: "/d")

  /// As bluetoothd 5.66 showed a board with the same attributes.
  @Test func `Handles are dealt out as by the board`() {
    #expect(
      tree.objects.map(\.path) == [
        "/d/service0008", "/d/service0008/char0009", "/d/service0008/char0009/desc000b",
        "/d/service000c", "/d/service000c/char000d", "/d/service000c/char000f",
        "/d/service000c/char000f/desc0011",
        "/d/service0012", "/d/service0012/char0013", "/d/service0012/char0015", "/d/service0012/char0017",
        "/d/service0012/char0019", "/d/service0012/char001b",
        "/d/service001d", "/d/service001d/char001e", "/d/service001d/char001e/desc0020",
      ])
    #expect(tree.objects[4].uuid == MetaMotionAttributes.command.uuid)
    #expect(
      tree.objects[5].kind
        == .characteristic(MetaMotionAttributes.notification, [.read, .notify], service: "/d/service000c"))
    #expect(tree.services.first == AttributeTree.genericAccess && tree.services.count == 5)
  }

  @Test func `The bootloader's attributes have the paths of the application's`() {
    let other = AttributeTree(of: MetaMotionAttributes.bootloaderTable(BootloaderTraits()), below: "/d")
    func uuid(_ tree: AttributeTree) -> AttributeUUID? {
      tree.objects.first { $0.path == "/d/service000c/char000f" }?.uuid
    }
    #expect(uuid(tree) == MetaMotionAttributes.notification.uuid)
    #expect(uuid(other) == MetaMotionAttributes.bootloaderControl.uuid)
    #expect(
      other.subscription(atHandleOf: "/d/service000c/char000f") == MetaMotionAttributes.bootloaderControl)
    #expect(other.subscription(atHandleOf: "/d/service001d/char001e") == nil)
    #expect(tree.isBelow("/d") && !tree.isBelow("/other"))
  }

  @Test func `What is below goes first`() {
    #expect(Set(tree.pathsBottomUp) == Set(tree.objects.map(\.path)))
    #expect(
      tree.pathsBottomUp.prefix(7) == [
        "/d/service0008/char0009/desc000b", "/d/service0008/char0009", "/d/service0008",
        "/d/service000c/char000d", "/d/service000c/char000f/desc0011", "/d/service000c/char000f",
        "/d/service000c",
      ])
  }
}
