/// What an object can do, in the XML that tools such as busctl ask for.
enum IntrospectionDocument {
  static func text(interfaces: [DBusInterface], children: [String]) -> String {
    var lines = [
      #"<!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN""#,
      #" "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">"#,
      "<node>",
    ]
    for interface in interfaces.sorted(by: { $0.name < $1.name }) { lines += describe(interface) }
    lines += children.map { #"  <node name="\#($0)"/>"# }
    return (lines + ["</node>", ""]).joined(separator: "\n")
  }

  private static func describe(_ interface: DBusInterface) -> [String] {
    var lines = [#"  <interface name="\#(interface.name)">"#]
    for method in interface.methods {
      lines.append(#"    <method name="\#(method.name)">"#)
      lines += arguments(method.takes, direction: "in") + arguments(method.gives, direction: "out")
      lines.append("    </method>")
    }
    for signal in interface.signals {
      lines.append(#"    <signal name="\#(signal.name)">"#)
      lines += arguments(signal.carries, direction: nil)
      lines.append("    </signal>")
    }
    for (name, value) in interface.properties.sorted(by: { $0.key < $1.key }) {
      let access = interface.setters[name] == nil ? "read" : "readwrite"
      lines.append(#"    <property name="\#(name)" type="\#(value.signature)" access="\#(access)"/>"#)
    }
    return lines + ["  </interface>"]
  }

  private static func arguments(_ signature: String, direction: String?) -> [String] {
    let attribute = direction.map { #" direction="\#($0)""# } ?? ""
    return completeTypes(in: signature).map { #"      <arg type="\#($0)"\#(attribute)/>"# }
  }

  /// "sa{sv}as" → "s", "a{sv}", "as".
  static func completeTypes(in signature: String) -> [String] {
    var types: [String] = []
    var current = ""
    var depth = 0
    for letter in signature {
      current.append(letter)
      if letter == "(" || letter == "{" { depth += 1 }
      if letter == ")" || letter == "}" { depth -= 1 }
      if depth == 0, letter != "a" {
        types.append(current)
        current = ""
      }
    }
    return types
  }
}
