/// The names that D-Bus itself gives to what every object, or the root of many, can do.
enum StandardInterfaces {
  static let introspectable = "org.freedesktop.DBus.Introspectable"
  static let properties = "org.freedesktop.DBus.Properties"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"

  /// For introspection. `DBusObjectServer` answers these calls itself.
  static let onEveryObject = [
    DBusInterface(introspectable, methods: [method("Introspect", gives: "s")]),
    DBusInterface(
      properties,
      methods: [
        method("Get", takes: "ss", gives: "v"), method("Set", takes: "ssv"),
        method("GetAll", takes: "s", gives: "a{sv}"),
      ],
      signals: [DBusSignalDeclaration("PropertiesChanged", carries: "sa{sv}as")]),
  ]

  static let onManager = DBusInterface(
    objectManager, methods: [method("GetManagedObjects", gives: "a{oa{sa{sv}}}")],
    signals: [
      DBusSignalDeclaration("InterfacesAdded", carries: "oa{sa{sv}}"),
      DBusSignalDeclaration("InterfacesRemoved", carries: "oas"),
    ])

  private static func method(_ name: String, takes: String = "", gives: String = "") -> DBusMethod {
    DBusMethod(name, takes: takes, gives: gives) { _ in }
  }
}
