import CDBus

/// The rules for names and signatures. libdbus ends the process over a message that breaks them, so everything
/// is checked before it gets there.
enum DBusSyntax {
  static func isObjectPath(_ text: String) -> Bool { check(text) { dbus_validate_path($0, nil) } }
  static func isInterface(_ text: String) -> Bool { check(text) { dbus_validate_interface($0, nil) } }
  static func isMember(_ text: String) -> Bool { check(text) { dbus_validate_member($0, nil) } }
  static func isBusName(_ text: String) -> Bool { check(text) { dbus_validate_bus_name($0, nil) } }
  static func isErrorName(_ text: String) -> Bool { check(text) { dbus_validate_error_name($0, nil) } }
  static func isSignature(_ text: String) -> Bool { check(text) { dbus_signature_validate($0, nil) } }

  /// One complete type: "as", not "ss".
  static func isSingleType(_ text: String) -> Bool { check(text) { dbus_signature_validate_single($0, nil) } }

  /// A C string ends at its first NUL.
  static func isText(_ text: String) -> Bool { !text.utf8.contains(0) }

  private static func check(_ text: String, _ rule: (UnsafePointer<CChar>) -> dbus_bool_t) -> Bool {
    isText(text) && text.withCString(rule) != 0
  }
}
