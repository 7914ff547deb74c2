import Testing

@testable import DBus

@Suite struct DBusMatchRuleTests {
  @Test func `text as the bus wants it`() {
    #expect(DBusMatchRule().text == "type='signal'")
    #expect(
      DBusMatchRule(
        sender: "org.bluez", interface: "a.B", member: "C", pathNamespace: "/x", firstArgument: "it's"
      ).text
        == #"type='signal',sender='org.bluez',interface='a.B',member='C',path_namespace='/x',arg0='it'\''s'"#)
  }

  @Test func `every condition counts`() {
    let signal = DBusSignal(sender: ":1.5", "/org/bluez/hci1", "a.B", "C", [.string("x")])
    #expect(DBusMatchRule().matches(signal))
    #expect(DBusMatchRule(sender: "org.bluez").matches(signal))
    #expect(
      DBusMatchRule(sender: ":1.5", interface: "a.B", member: "C", path: "/org/bluez/hci1").matches(signal))
    #expect(DBusMatchRule(pathNamespace: "/org/bluez", firstArgument: "x").matches(signal))
    #expect(DBusMatchRule(pathNamespace: "/").matches(signal))
    for other in [
      DBusMatchRule(sender: ":1.6"), DBusMatchRule(sender: "org.freedesktop.DBus"),
      DBusMatchRule(interface: "a.C"),
      DBusMatchRule(member: "D"), DBusMatchRule(path: "/org/bluez"),
      DBusMatchRule(pathNamespace: "/org/bluez/hci"),
      DBusMatchRule(firstArgument: "y"),
    ] { #expect(!other.matches(signal)) }
  }
}
