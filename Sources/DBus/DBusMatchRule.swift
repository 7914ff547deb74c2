/// Which signals the bus shall send us. nil means any.
package struct DBusMatchRule: Hashable, Sendable {
  /// May be a well-known name. Such a rule also lets signals pass that another program addressed to us alone, so
  /// compare `DBusSignal.sender` with the unique name of the owner.
  package var sender: String?
  package var interface: String?
  package var member: String?
  package var path: String?
  /// This path and all below.
  package var pathNamespace: String?
  package var firstArgument: String?

  package init(
    sender: String? = nil, interface: String? = nil, member: String? = nil, path: String? = nil,
    pathNamespace: String? = nil, firstArgument: String? = nil
  ) {
    self.sender = sender
    self.interface = interface
    self.member = member
    self.path = path
    self.pathNamespace = pathNamespace
    self.firstArgument = firstArgument
  }

  /// Changes of who owns a name; of all names, those of connections included, without `name`.
  static func ownerChanges(of name: String?) -> DBusMatchRule {
    DBusMatchRule(
      sender: DBusMethodCall.busName, interface: DBusMethodCall.busName, member: "NameOwnerChanged",
      firstArgument: name)
  }

  /// As the bus wants to have it.
  var text: String {
    let conditions = [
      ("type", "signal"), ("sender", sender), ("interface", interface), ("member", member), ("path", path),
      ("path_namespace", pathNamespace), ("arg0", firstArgument),
    ]
    return conditions.compactMap { key, value in value.map { "\(key)='\(Self.quoted($0))'" } }
      .joined(separator: ",")
  }

  func matches(_ signal: DBusSignal) -> Bool {
    func fits(_ wanted: String?, _ actual: String?) -> Bool { wanted == nil || wanted == actual }
    let isWellKnown = sender.map { !$0.hasPrefix(":") && $0 != DBusMethodCall.busName } ?? true
    return (isWellKnown || sender == signal.sender)
      && fits(interface, signal.interface) && fits(member, signal.member) && fits(path, signal.path)
      && (pathNamespace.map { Self.contains($0, signal.path) } ?? true)
      && (firstArgument.map { .string($0) == signal.arguments.first } ?? true)
  }

  private static func contains(_ namespace: String, _ path: String) -> Bool {
    namespace == "/" || path == namespace || path.hasPrefix(namespace + "/")
  }

  /// An apostrophe ends a quoted part and is spelled outside of one.
  private static func quoted(_ text: String) -> String {
    text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
  }
}
