/// Who wants to hear of which signals.
package struct DBusListener: Sendable {
  /// Names a listener, to stop it.
  package struct ID: Hashable, Sendable { let number: UInt64 }

  let id: ID
  let rule: DBusMatchRule
  let handler: @Sendable (DBusSignal) -> Void
}
