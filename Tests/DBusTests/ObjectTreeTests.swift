import Testing

@testable import DBus

@Suite struct ObjectTreeTests {
  private func tree() -> ObjectTree {
    var tree = ObjectTree()
    tree.add([DBusInterface("a.Adapter", properties: ["Powered": .boolean(true)])], at: "/org/x/hci1")
    tree.add([DBusInterface("a.Adapter")], at: "/org/x/hci10")
    tree.add([DBusInterface("a.Device"), DBusInterface("a.Battery")], at: "/org/x/hci1/dev")
    return tree
  }

  @Test func `children are those of the path and not of its namesakes`() {
    let tree = tree()
    #expect(tree.children(of: "/") == ["org"])
    #expect(tree.children(of: "/org/x") == ["hci1", "hci10"])
    #expect(tree.children(of: "/org/x/hci1") == ["dev"])
    #expect(tree.children(of: "/org/x/hci10") == [])
    #expect(tree.exists("/org") && tree.exists("/org/x/hci1/dev") && !tree.exists("/org/x/hci"))
  }

  @Test func `changes set and invalidate`() {
    var tree = tree()
    let changed = tree.change(
      "/org/x/hci1", "a.Adapter", set: ["Name": .string("n")], invalidate: ["Powered"])
    #expect(changed)
    #expect(tree["/org/x/hci1", "a.Adapter"]?.properties == ["Name": .string("n")])
    let changedNothing = tree.change("/org/x/hci1", "a.Device", set: [:], invalidate: [])
    #expect(!changedNothing)
  }

  @Test func `removal names what was there`() {
    var tree = tree()
    #expect(tree.remove(["a.Battery", "a.Other"], at: "/org/x/hci1/dev") == ["a.Battery"])
    #expect(tree.remove(nil, at: "/org/x/hci1/dev") == ["a.Device"])
    #expect(tree.remove(nil, at: "/org/x/hci1/dev") == [])
    #expect(!tree.exists("/org/x/hci1/dev"))
  }

  @Test func `managed objects are those below the manager`() throws {
    let objects = try #require(tree().managedObjects(below: "/org/x/hci1").entries)
    #expect(objects.keys.map(\.text) == ["/org/x/hci1/dev"])
    #expect(try #require(tree().managedObjects(below: "/").entries).count == 3)
    try tree().managedObjects(below: "/").check()
  }
}
