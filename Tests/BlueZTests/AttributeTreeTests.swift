import BoardKit
import DBus
import Testing

@testable import BlueZ

@Suite struct AttributeTreeTests {
  private let service: [String: DBusValue] = [
    "UUID": .string(ScriptedBoard.service.description), "Device": .objectPath("/d"),
  ]
  private let characteristic: [String: DBusValue] = [
    "UUID": .string(ScriptedBoard.notify.uuid.description), "Service": .objectPath("/d/s"),
  ]

  @Test(arguments: [true, false])
  func `the order of announcement does not matter`(serviceFirst: Bool) {
    var tree = AttributeTree()
    if serviceFirst { tree.addService("/d/s", service) }
    tree.addCharacteristic("/d/s/c", characteristic)
    #expect(tree.device(of: "/d/s/c") == (serviceFirst ? "/d" : nil))
    if !serviceFirst { tree.addService("/d/s", service) }
    #expect(tree.characteristics(ofDevice: "/d") == [ScriptedBoard.notify: "/d/s/c"])
    #expect(tree.device(of: "/d/s/c") == "/d")
    #expect(tree.device(of: "/d/s") == "/d")
  }

  @Test func `removed ones are gone and nothing is left`() {
    var tree = AttributeTree()
    tree.addService("/d/s", service)
    tree.addCharacteristic("/d/s/c", characteristic)
    tree.remove("/d/s")
    #expect(tree.characteristics(ofDevice: "/d").isEmpty)
    tree.addService("/d/s", service)
    #expect(tree.characteristics(ofDevice: "/d").count == 1)
    tree.remove("/d/s/c")
    tree.remove("/d/s/c")
    #expect(tree.characteristics(ofDevice: "/d").isEmpty)
    #expect(tree.device(of: "/d/s/c") == nil)
  }
}
