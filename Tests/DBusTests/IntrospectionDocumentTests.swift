import Testing

@testable import DBus

@Suite struct IntrospectionDocumentTests {
  @Test(arguments: [
    ("", []), ("s", ["s"]), ("sa{sv}as", ["s", "a{sv}", "as"]), ("aa{s(iv)}(ii)", ["aa{s(iv)}", "(ii)"]),
  ])
  func `signatures are split into complete types`(signature: String, types: [String]) {
    #expect(IntrospectionDocument.completeTypes(in: signature) == types)
  }

  @Test func `describes everything an interface has`() {
    let interface = DBusInterface(
      "a.B", properties: ["Alias": .string("x"), "Name": .string("x")], setters: ["Alias": { _, _ in }],
      methods: [DBusMethod("Do", takes: "sas", gives: "h") { _ in }],
      signals: [DBusSignalDeclaration("Done", carries: "u")])
    let text = IntrospectionDocument.text(interfaces: [interface], children: ["hci0"])
    let body = text.split(separator: "\n").dropFirst(2).joined(separator: "\n")
    #expect(
      body == """
        <node>
          <interface name="a.B">
            <method name="Do">
              <arg type="s" direction="in"/>
              <arg type="as" direction="in"/>
              <arg type="h" direction="out"/>
            </method>
            <signal name="Done">
              <arg type="u"/>
            </signal>
            <property name="Alias" type="s" access="readwrite"/>
            <property name="Name" type="s" access="read"/>
          </interface>
          <node name="hci0"/>
        </node>
        """)
  }
}
