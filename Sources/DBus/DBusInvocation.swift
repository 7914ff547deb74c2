import EventLoops

/// A call that another program made to us. Answer it now, later, from anywhere, or never; only the first answer
/// counts for the caller.
package struct DBusInvocation: Sendable {
  /// The unique name of the caller, such as ":1.7".
  package let sender: String
  package let path: String
  /// nil: the caller leaves the choice among interfaces with such a member to us.
  package let interface: String?
  package let member: String
  package let arguments: [DBusValue]

  let serial: UInt32
  let expectsReply: Bool
  let connection: DBusConnection

  init(_ call: IncomingMessage.Call, on connection: DBusConnection) {
    sender = call.sender
    path = call.path
    interface = call.interface
    member = call.member
    arguments = (try? call.arguments.get()) ?? []
    serial = call.serial
    expectsReply = call.expectsReply
    self.connection = connection
  }

  package func reply(_ values: [DBusValue] = []) { answer(.success(values)) }

  /// An `error` is passed on verbatim; of other failures the caller learns the description.
  package func fail(_ failure: DBusFailure) { answer(.failure(failure)) }

  /// On the loop the answer is sent at once, in order with signals emitted before and after.
  private func answer(_ outcome: DBusConnection.Outcome) {
    guard expectsReply else { return }
    if connection.loop.isOnLoop {
      connection.assumeIsolated { $0.answer(self, outcome) }
    } else {
      connection.loop.execute { connection.assumeIsolated { $0.answer(self, outcome) } }
    }
  }
}
