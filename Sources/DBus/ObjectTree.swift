/// The objects a program exports: paths, their interfaces, the values of their properties.
struct ObjectTree: Sendable {
  private(set) var objects: [String: [String: DBusInterface]] = [:]

  subscript(path: String, interface: String) -> DBusInterface? { objects[path]?[interface] }

  mutating func add(_ interfaces: [DBusInterface], at path: String) {
    for interface in interfaces { objects[path, default: [:]][interface.name] = interface }
  }

  /// The names of what was there; all of the object without `interfaces`.
  mutating func remove(_ interfaces: [String]?, at path: String) -> [String] {
    guard let present = objects[path] else { return [] }
    let removed = (interfaces ?? Array(present.keys)).filter { present[$0] != nil }.sorted()
    objects[path] = present.filter { !removed.contains($0.key) }
    if objects[path]?.isEmpty == true { objects[path] = nil }
    return removed
  }

  /// False if there is no such interface.
  mutating func change(
    _ path: String, _ interface: String, set: [String: DBusValue], invalidate: [String]
  ) -> Bool {
    guard var changed = objects[path]?[interface] else { return false }
    changed.properties.merge(set) { _, new in new }
    for name in invalidate { changed.properties[name] = nil }
    objects[path]?[interface] = changed
    return true
  }

  /// The interface that a call means which names none.
  func interface(at path: String, with member: String) -> String? {
    objects[path]?.values.filter { $0.methods.contains { $0.name == member } }.map(\.name).min()
  }

  /// True for exported objects and for the paths above them.
  func exists(_ path: String) -> Bool { objects[path] != nil || !children(of: path).isEmpty }

  /// The next path elements below `path`.
  func children(of path: String) -> [String] {
    let prefix = path == "/" ? "/" : path + "/"
    let names = objects.keys.filter { $0.hasPrefix(prefix) && $0 != "/" }
      .compactMap { $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init) }
    return Set(names).sorted()
  }

  /// As `GetManagedObjects` answers: everything below `root`.
  func managedObjects(below root: String) -> DBusValue {
    let prefix = root == "/" ? "/" : root + "/"
    var entries: [DBusValue: DBusValue] = [:]
    for (path, interfaces) in objects where path.hasPrefix(prefix) && path != root {
      entries[.objectPath(path)] = Self.description(of: Array(interfaces.values))
    }
    return .dictionary(of: "oa{sa{sv}}", entries)
  }

  /// Interfaces with their properties, "a{sa{sv}}"; of a whole object those that every object has are listed too,
  /// as BlueZ does.
  static func description(of interfaces: [DBusInterface], ofWholeObject isWhole: Bool = true) -> DBusValue {
    var entries: [DBusValue: DBusValue] = [:]
    for interface in interfaces + (isWhole ? StandardInterfaces.onEveryObject : []) {
      entries[.string(interface.name)] = .properties(interface.properties)
    }
    return .dictionary(of: "sa{sv}", entries)
  }
}
