/// One interface of an exported object: what it can be asked and what it shows.
package struct DBusInterface: Sendable {
  package typealias Setter = @Sendable (DBusValue, DBusInvocation) -> Void

  package var name: String
  package var properties: [String: DBusValue]
  /// The properties that others may set. A setter is called on the loop with a value of the property's type; it
  /// has to answer the invocation, and to `change` the property if it agrees.
  package var setters: [String: Setter]
  package var methods: [DBusMethod]
  package var signals: [DBusSignalDeclaration]

  package init(
    _ name: String, properties: [String: DBusValue] = [:], setters: [String: Setter] = [:],
    methods: [DBusMethod] = [], signals: [DBusSignalDeclaration] = []
  ) {
    self.name = name
    self.properties = properties
    self.setters = setters
    self.methods = methods
    self.signals = signals
  }
}

/// What an interface can be asked to do.
package struct DBusMethod: Sendable {
  package var name: String
  /// The signature of all arguments in a row; calls with others are refused.
  package var takes: String
  /// The signature of the answer, for introspection.
  package var gives: String
  /// Called on the loop. It answers now, later or never.
  package var handler: @Sendable (DBusInvocation) -> Void

  package init(
    _ name: String, takes: String = "", gives: String = "",
    handler: @escaping @Sendable (DBusInvocation) -> Void
  ) {
    self.name = name
    self.takes = takes
    self.gives = gives
    self.handler = handler
  }
}

/// What an interface may say, for introspection.
package struct DBusSignalDeclaration: Hashable, Sendable {
  package var name: String
  package var carries: String

  package init(_ name: String, carries: String = "") {
    self.name = name
    self.carries = carries
  }
}
