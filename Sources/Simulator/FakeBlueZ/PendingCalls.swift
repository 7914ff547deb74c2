import DBus

/// Calls of clients that wait for their answers.
struct PendingCalls {
  private var calls: [FakeCall: DBusInvocation] = [:]
  private var last = 0

  /// A call came; it is known by what this returns.
  mutating func add(_ invocation: DBusInvocation) -> FakeCall {
    last += 1
    let call = FakeCall(number: last)
    calls[call] = invocation
    return call
  }

  /// Takes a call that is to be answered now.
  mutating func take(_ call: FakeCall) -> DBusInvocation? { calls.removeValue(forKey: call) }

  /// What an adapter has decided about a call.
  mutating func answer(_ action: FakeAction) {
    switch action {
    case .reply(let call): take(call)?.reply()
    case .fail(let call, let failure): take(call)?.fail(failure)
    case .forsake(let call): _ = take(call)
    default: break
    }
  }

  /// Whoever waits for an answer learns from the bus that there will be none.
  mutating func forsake() {
    let (name, text) = (
      "org.freedesktop.DBus.Error.NoReply", "Message recipient disconnected from message bus without replying"
    )
    for call in calls.values { call.fail(.error(name: name, text: text)) }
    calls = [:]
  }
}
