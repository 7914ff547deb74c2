/// Exports objects on a connection: for pairing agents, and for programs that play a service of others.
///
/// It answers Introspectable, Properties and ObjectManager from what was exported, and calls the handlers of the
/// interfaces for the rest. It lives on the connection's loop; actors on that loop use it through `assumeIsolated`,
/// so that signals leave in the order in which they were caused. Take a name with `connection.requestName` when
/// the objects are there.
package actor DBusObjectServer {
  package nonisolated let connection: DBusConnection
  package nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

  private let managerPath: String
  private let onFault: @Sendable (DBusFailure) -> Void
  private var tree = ObjectTree()

  private init(
    _ connection: DBusConnection, managerPath: String, onFault: @escaping @Sendable (DBusFailure) -> Void
  ) {
    self.connection = connection
    self.managerPath = managerPath
    self.onFault = onFault
  }

  /// `managerPath` is where the ObjectManager stands, which announces all objects below. `onFault` learns of
  /// signals that could not be sent: a mistake in their values, or the connection is gone.
  package static func start(
    on connection: DBusConnection, managerPath: String = "/",
    onFault: @escaping @Sendable (DBusFailure) -> Void = { _ in }
  ) async -> DBusObjectServer {
    let server = DBusObjectServer(connection, managerPath: managerPath, onFault: onFault)
    await connection.serve { [weak server] invocation in
      server?.assumeIsolated { $0.handle(invocation) }
    }
    return server
  }

  /// Adds an object, or interfaces to one, and announces them.
  package func export(_ interfaces: [DBusInterface], at path: String) {
    let isNew = tree.objects[path] == nil
    tree.add(interfaces, at: path)
    say("InterfacesAdded", [.objectPath(path), ObjectTree.description(of: interfaces, ofWholeObject: isNew)])
  }

  /// Where there are objects.
  package var paths: [String] { tree.objects.keys.sorted() }

  /// Takes interfaces away, the whole object without a list of them, and announces that.
  package func remove(_ interfaces: [String]? = nil, at path: String) {
    let removed = tree.remove(interfaces, at: path)
    guard !removed.isEmpty else { return }
    let standard = interfaces == nil ? StandardInterfaces.onEveryObject.map(\.name).reversed() : []
    say("InterfacesRemoved", [.objectPath(path), .strings(standard + removed)])
  }

  /// The value of a property now.
  package func property(_ name: String, of path: String, _ interface: String) -> DBusValue? {
    tree[path, interface]?.properties[name]
  }

  /// Changes properties and announces it; `invalidate` takes away the value of some. `silently` leaves out the
  /// signal. Does nothing if there is no such interface.
  package func change(
    _ path: String, _ interface: String, set: [String: DBusValue] = [:], invalidate: [String] = [],
    silently: Bool = false
  ) {
    guard tree.change(path, interface, set: set, invalidate: invalidate), !silently else { return }
    emit(
      DBusSignal(
        path, StandardInterfaces.properties, "PropertiesChanged",
        [.string(interface), .properties(set), .strings(invalidate)]))
  }

  /// Says something to everyone who listens, or to one connection.
  package func emit(_ signal: DBusSignal, to destination: String? = nil) {
    let outcome = connection.assumeIsolated { connection in
      Result { () throws(DBusFailure) in try connection.emit(signal, to: destination) }
    }
    if case .failure(let failure) = outcome { onFault(failure) }
  }

  private func say(_ member: String, _ arguments: [DBusValue]) {
    emit(DBusSignal(managerPath, StandardInterfaces.objectManager, member, arguments))
  }
}

// Incoming calls.
extension DBusObjectServer {
  private func handle(_ invocation: DBusInvocation) {
    do throws(DBusFailure) {
      switch invocation.interface ?? tree.interface(at: invocation.path, with: invocation.member) {
      case StandardInterfaces.introspectable: invocation.reply([.string(try introspect(invocation))])
      case StandardInterfaces.properties: try handleProperties(invocation)
      case StandardInterfaces.objectManager where isManagerCall(invocation):
        invocation.reply([tree.managedObjects(below: managerPath)])
      case let interface?: try method(interface, invocation).handler(invocation)
      case nil: throw unknownMethod(invocation)
      }
    } catch {
      invocation.fail(error)
    }
  }

  private func isManagerCall(_ invocation: DBusInvocation) -> Bool {
    invocation.path == managerPath && invocation.member == "GetManagedObjects" && invocation.arguments.isEmpty
  }

  private func introspect(_ invocation: DBusInvocation) throws(DBusFailure) -> String {
    let path = invocation.path
    guard invocation.member == "Introspect", tree.exists(path) || path == managerPath else {
      throw unknownMethod(invocation)
    }
    var interfaces = StandardInterfaces.onEveryObject + (tree.objects[path].map { Array($0.values) } ?? [])
    if path == managerPath { interfaces.append(StandardInterfaces.onManager) }
    return IntrospectionDocument.text(interfaces: interfaces, children: tree.children(of: path))
  }

  private func handleProperties(_ invocation: DBusInvocation) throws(DBusFailure) {
    let arguments = invocation.arguments
    guard let name = arguments.first?.text, tree.objects[invocation.path] != nil else {
      throw unknownMethod(invocation)
    }
    let interface = tree[invocation.path, name]
    switch (invocation.member, invocation.signature) {
    case ("GetAll", "s"):
      guard let interface else { throw .unknownInterface("no interface \(name)") }
      invocation.reply([.properties(interface.properties)])
    case ("Get", "ss"):
      invocation.reply([.variant(try value(arguments[1].text, of: interface))])
    case ("Set", "ssv"):
      let (property, new) = (arguments[1].text ?? "", arguments[2].unwrapped)
      let old = try value(property, of: interface)
      guard let setter = interface?.setters[property] else {
        throw .readOnlyProperty("\(property) is read-only")
      }
      guard new.signature == old.signature else {
        throw .invalidArguments("\(property) is of type \(old.signature)")
      }
      setter(new, invocation)
    default: throw unknownMethod(invocation)
    }
  }

  private func value(_ property: String?, of interface: DBusInterface?) throws(DBusFailure) -> DBusValue {
    guard let value = property.flatMap({ interface?.properties[$0] }) else {
      throw .unknownProperty("no property \(property ?? "")")
    }
    return value
  }

  private func method(_ interface: String, _ invocation: DBusInvocation) throws(DBusFailure) -> DBusMethod {
    let method = tree[invocation.path, interface]?.methods.first { $0.name == invocation.member }
    guard let method, method.takes == invocation.signature else { throw unknownMethod(invocation) }
    return method
  }

  /// In the words of libdbus, line feed included, because services built on it answer so.
  private func unknownMethod(_ invocation: DBusInvocation) -> DBusFailure {
    let text = """
      Method "\(invocation.member)" with signature "\(invocation.signature)" on interface \
      "\(invocation.interface ?? "(null)")" doesn't exist

      """
    return tree.exists(invocation.path) ? .unknownMethod(text) : .unknownObject(text)
  }
}

extension DBusInvocation {
  /// Of the arguments in a row.
  fileprivate var signature: String { arguments.map(\.signature).joined() }
}
